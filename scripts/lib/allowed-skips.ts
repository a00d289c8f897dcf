/** Skipped test. `file` is relative to the project folder. */
interface Skip {
  readonly file: string
  readonly title: string
}

/** Test that some machines cannot run: `title` is part of its title, `lacks` names the missing feature. */
interface AllowedSkip extends Skip {
  readonly lacks: string
}

/** Allowed skips; any other skip fails `npm test`. */
export const ALLOWED_SKIPS: readonly AllowedSkip[] = [
  {
    file: 'tests/bridge/sources/rtsp-source.test.ts',
    title: 'while a camera plays its password is in the arguments and the environment of no process',
    lacks: 'Linux: /proc shows what processes were started with',
  },
  {
    file: 'tests/scripts/rtsp-camera-start.test.ts',
    title: 'its password is in the arguments and the environment of no process, while it plays',
    lacks: 'Linux: /proc shows what processes were started with',
  },
  {
    file: 'tests/bridge/recording/full-disk.test.ts',
    title: 'a real disk that fills up in the middle of a recording: what came onto it is a clip once there is room',
    lacks: 'the right to mount a small file system',
  },
  {
    file: 'tests/bridge/recording/disk-space-monitor.test.ts',
    title:
      'a disk whose free space goes up and down at the reserve is said to be almost full once, and to have room once',
    lacks: 'the right to mount a small file system',
  },
  {
    file: 'tests/bridge/recording/disk-space-monitor.test.ts',
    title:
      'a disk that was full stays full in the words of the bridge while small things fit, and goes on when there is room',
    lacks: 'the right to mount a small file system',
  },
  {
    file: 'tests/provider/bridge/bridge-lifecycle.test.ts',
    title: 'says so at its cameras, which can still be watched, and on their timeline, until there is room',
    lacks: 'the right to mount a small file system',
  },
  {
    file: 'tests/bridge/discovery/network-discovery.test.ts',
    title: 'a camera that listens to the multicast group of a network is found by asking that group',
    lacks: 'Python 3, or multicast on the loopback interface',
  },
  {
    file: 'tests/bridge/sources/gstreamer-compatibility.test.ts',
    title: "a camera of GStreamer's RTSP server",
    lacks: 'the RTSP server of GStreamer and its Python bindings',
  },
]

/** Returns the skips that no entry allows. */
export function unexpected(skips: readonly Skip[]): Skip[] {
  return skips.filter(
    (skip) => !ALLOWED_SKIPS.some(({ file, title }) => file === skip.file && skip.title.includes(title)),
  )
}
