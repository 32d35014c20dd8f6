//! Whether this machine is a guest, and whose.

use timerscope::machine::{Known, Missing};

use super::cpu::Cpu;
use super::root::Root;
use super::signature;

/// Signatures that monitors give themselves in CPUID leaf 0x4000_0000.
const MONITORS: [(&[u8; 12], &str); 10] = [
    (b"KVMKVMKVM\0\0\0", "KVM"),
    (b"Linux KVM Hv", "KVM"),
    (b"TCGTCGTCGTCG", "QEMU without KVM"),
    (b"Microsoft Hv", "Hyper-V"),
    (b"VMwareVMware", "VMware"),
    (b"XenVMMXenVMM", "Xen"),
    (b"VBoxVBoxVBox", "VirtualBox"),
    (b"bhyve bhyve ", "bhyve"),
    (b" lrpepyh  vr", "Parallels"),
    (b"ACRNACRNACRN", "ACRN"),
];

/// What firmware of virtual machines calls itself, as it begins.
const PRODUCTS: [(&str, &str); 10] = [
    ("QEMU", "QEMU"),
    ("KVM", "KVM"),
    ("Standard PC", "QEMU"),
    ("VMware", "VMware"),
    ("VirtualBox", "VirtualBox"),
    ("innotek GmbH", "VirtualBox"),
    ("Xen", "Xen"),
    ("Virtual Machine", "Hyper-V"),
    ("Google Compute Engine", "Google Compute Engine"),
    ("Apple Virtualization", "Apple's virtualisation"),
];

/// The monitor, if there is one.
pub(super) fn virtual_machine(
    root: &Root,
    cpu: &Result<Cpu, Missing>,
) -> Known<String> {
    let signed = root.is_real().then(signature::monitor).flatten();
    let flagged = cpu.as_ref().is_ok_and(|cpu| cpu.guest);
    signed
        .map(|signature| by_signature(&signature))
        .or_else(|| root.line("/sys/hypervisor/type").ok())
        .or_else(|| by_firmware(root))
        .or_else(|| by_device_tree(root))
        .or_else(|| flagged.then(|| "one that gives no name".to_owned()))
        .ok_or_else(|| nothing(root, cpu))
        .into()
}

/// A PC that is a guest is told so; other machines may not be.
fn nothing(root: &Root, cpu: &Result<Cpu, Missing>) -> Missing {
    let told = cpu.as_ref().is_ok_and(|cpu| cpu.pc)
        || root.has("/sys/class/dmi/id/sys_vendor");
    if told {
        Missing::absent("nothing here says that this is a guest")
    } else {
        Missing::unknown("nothing here says whether this is a guest")
    }
}

fn by_signature(signature: &[u8; 12]) -> String {
    let known = MONITORS.iter().find(|(bytes, _)| *bytes == signature);
    known.map_or_else(
        || {
            let text = String::from_utf8_lossy(signature);
            format!("one that signs {:?}", text.trim_matches('\0'))
        },
        |(_, name)| (*name).to_owned(),
    )
}

fn by_firmware(root: &Root) -> Option<String> {
    let files = ["sys_vendor", "product_name"];
    files.iter().find_map(|file| {
        let text = root.line(&format!("/sys/class/dmi/id/{file}")).ok()?;
        let known = PRODUCTS.iter().find(|(start, _)| text.starts_with(start));
        known.map(|(_, name)| (*name).to_owned())
    })
}

fn by_device_tree(root: &Root) -> Option<String> {
    let name = root.line("/proc/device-tree/hypervisor/compatible").ok()?;
    Some(match name.as_str() {
        "linux,kvm" => "KVM".to_owned(),
        _ => name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_a_name_or_is_shown() {
        assert_eq!(by_signature(b"KVMKVMKVM\0\0\0"), "KVM");
        let strange = by_signature(b"new\x1b[31m\0\0\0\0");
        assert_eq!(strange, r#"one that signs "new\u{1b}[31m""#);
    }
}
