"""The sleepers of `sim_speed` in SimPy: TASKS processes for MS virtual
milliseconds. Prints how many wake-ups there were, and the CPU time they took
in seconds.
"""

import sys
import time

import simpy

tasks, ms = int(sys.argv[1]), int(sys.argv[2])
kinds = min(tasks, 1000)
woken = 0


def sleeper(env, span):
    global woken
    while True:
        yield env.timeout(span)
        woken += 1


env = simpy.Environment()
for task in range(tasks):
    env.process(sleeper(env, 900_000 + task % kinds * 200_000 // max(kinds, 2)))
began = time.process_time()
env.run(until=ms * 1_000_000)
print(woken, f"{time.process_time() - began:.6f}")
