/** Skipped test. `file` is relative to the project folder. */
interface SkippedTest {
  readonly file: string
  readonly title: string
}

/**
 * Test that may be skipped on some machines. `title`: part of the test's title. `lacks`: feature that these machines
 * lack.
 */
interface AllowedSkip extends SkippedTest {
  readonly lacks: string
}

/** Allowed skips; any other skip fails `npm test`. */
export const ALLOWED_SKIPS: readonly AllowedSkip[] = [
  {
    file: 'tests/bridge/sources/rtsp-source.test.ts',
    title: 'the password of a playing camera is in no process arguments or environment',
    lacks: 'Linux, where /proc shows process arguments and environments',
  },
  {
    file: 'tests/scripts/rtsp-camera-start.test.ts',
    title: 'keeps the password of a playing camera out of all process arguments and environments',
    lacks: 'Linux, where /proc shows process arguments and environments',
  },
  {
    file: 'tests/scripts/lib/process-group.test.ts',
    title: 'process groups on',
    lacks: 'the programs ps and lsof',
  },
  {
    file: 'tests/bridge/recording/full-disk.test.ts',
    title: 'when a real disk fills up, the recorded part becomes a clip once there is space',
    lacks: 'permission to mount a small file system',
  },
  {
    file: 'tests/bridge/recording/disk-space-monitor.test.ts',
    title: 'a disk with free space around the reserve is reported almost full once and recovered once',
    lacks: 'permission to mount a small file system',
  },
  {
    file: 'tests/bridge/recording/disk-space-monitor.test.ts',
    title: 'a full disk stays reported while only small files fit, and recording resumes with enough room',
    lacks: 'permission to mount a small file system',
  },
  {
    file: 'tests/scripts/backup/full-disk.test.ts',
    title: 'a full disk ends a backup with a message, and leaves no file',
    lacks: 'permission to mount a small file system',
  },
  {
    file: 'tests/scripts/backup/full-disk.test.ts',
    title: 'a full disk ends a restore with a message, and leaves no folder',
    lacks: 'permission to mount a small file system',
  },
  {
    file: 'tests/provider/bridge/bridge-lifecycle.test.ts',
    title: 'reports it on its cameras, which stay watchable, and on their timeline, until there is space',
    lacks: 'permission to mount a small file system',
  },
  {
    file: 'tests/bridge/discovery/network-discovery.test.ts',
    title: 'discovery finds a camera by probing the multicast group that it listens to',
    lacks: 'Python 3, or multicast on the loopback interface',
  },
  {
    file: 'tests/bridge/sources/gstreamer-compatibility.test.ts',
    title: "a camera on GStreamer's RTSP server",
    lacks: 'the RTSP server of GStreamer and its Python bindings',
  },
  {
    file: 'tests/scripts/installed-package.test.ts',
    title: 'the npm package',
    lacks: 'permission to create network namespaces (Linux and root)',
  },
  {
    file: 'tests/scripts/backup/pause-limits.test.ts',
    title: 'a process that does not stop ends the backup, and the others run again',
    lacks: 'Linux and Python 3, which can block a process in the kernel',
  },
  {
    file: 'tests/scripts/lan-attacks.test.ts',
    title: 'attacks from the local network',
    lacks: 'permission to create network namespaces (Linux and root)',
  },
  {
    file: 'tests/scripts/lan-floods.test.ts',
    title: 'a device in the local network',
    lacks: 'permission to create network namespaces (Linux and root)',
  },
  {
    file: 'tests/scripts/lan-access.test.ts',
    title: 'npm start -- --lan',
    lacks: 'permission to create network namespaces (Linux and root)',
  },
  {
    file: 'tests/scripts/service.test.ts',
    title: 'porchlight service on Linux',
    lacks: 'Linux',
  },
  {
    file: 'tests/scripts/service.test.ts',
    title: 'systemd accepts the unit',
    lacks: 'systemd',
  },
]

/** Returns the skips that no entry allows. */
export function findUnexpectedSkips(skips: readonly SkippedTest[]): SkippedTest[] {
  return skips.filter(
    (skip) => !ALLOWED_SKIPS.some(({ file, title }) => file === skip.file && skip.title.includes(title)),
  )
}
