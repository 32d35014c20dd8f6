// The sleepers of `sim_speed` in SimGrid: TASKS actors for MS virtual
// milliseconds. Prints how many wake-ups there were, and the CPU
// time they took in seconds.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include <simgrid/s4u.hpp>

namespace sg4 = simgrid::s4u;

int main(int argc, char** argv) {
  sg4::Engine engine(&argc, argv);
  if (argc < 3)
    return 2;
  const long tasks = std::atol(argv[1]);
  const double limit = std::atol(argv[2]) * 1e-3;
  auto* zone = sg4::create_full_zone("zone");
  auto* host = zone->create_host("host", 1e9);
  zone->seal();
  const long kinds = std::min(tasks, 1000L);
  long woken = 0;
  for (long task = 0; task < tasks; ++task) {
    const long ns =
        900000 + task % kinds * 200000 / std::max(kinds, 2L);
    const double span = static_cast<double>(ns) * 1e-9;
    sg4::Actor::create("sleeper", host, [span, limit, &woken] {
      while (sg4::Engine::get_clock() + span <= limit) {
        sg4::this_actor::sleep_for(span);
        ++woken;
      }
    });
  }
  const auto began = std::clock();
  engine.run();
  const double took =
      static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  std::printf("%ld %.6f\n", woken, took);
}
