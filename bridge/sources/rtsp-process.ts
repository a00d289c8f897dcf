import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'

/**
 * The list that ffmpeg reads its input from. Only its standard input knows the address, so that its password stands in no
 * process list. Without `tcp` ffmpeg chooses the transport: versions before 5 know no options in a list.
 */
export function inputList(address: string, tcp: boolean): string {
  const file = new URL(address).href.replaceAll("'", "'\\''")
  return `ffconcat version 1.0\nfile '${file}'\n${tcp ? 'option rtsp_transport tcp\n' : ''}`
}

/** What a version of ffmpeg says that knows no options in a list. */
export const KNOWS_NO_OPTION = /unknown keyword '?option/i

const INPUT = [
  ...['-f', 'concat', '-safe', '0', '-protocol_whitelist', 'pipe,rtsp,rtsps,rtp,udp,tcp,tls,crypto'],
  ...['-i', 'pipe:0'],
]
/** H.264 as the camera sends it, also before its first keyframe: a camera that is slow with it is not silent. */
const COPY = [
  '-c:v',
  'copy',
  '-copyinkf',
  '-bsf:v',
  'h264_mp4toannexb,dump_extra=freq=keyframe,h264_metadata=aud=insert',
]
/** What every browser decodes, of a size that a small computer can make in time; a keyframe each second. */
const TRANSCODE = [
  ...['-vf', "scale='min(1280,iw)':-2,format=yuv420p", '-c:v', 'libx264', '-preset', 'ultrafast'],
  ...['-tune', 'zerolatency', '-profile:v', 'baseline', '-threads', '2', '-force_key_frames', 'expr:gte(t,n_forced)'],
  ...['-crf', '26', '-maxrate', '2M', '-bufsize', '2M', '-bsf:v', 'h264_metadata=aud=insert'],
]

export interface RtspRun {
  readonly ffmpeg: string
  readonly address: string
  /** See `inputList`. */
  readonly tcp: boolean
  /** Decode what the camera sends and encode it as H.264, instead of passing on its H.264. */
  readonly transcode: boolean
}

/** Starts ffmpeg: H.264 as an Annex-B stream with an access unit delimiter before each picture. */
export function spawnRtsp({ ffmpeg, address, tcp, transcode }: RtspRun): ChildProcessWithoutNullStreams {
  const general = ['-hide_banner', '-nostats', '-loglevel', 'info', '-fflags', 'nobuffer']
  const output = [
    '-map',
    '0:v:0',
    ...(transcode ? TRANSCODE : COPY),
    '-an',
    '-flush_packets',
    '1',
    '-f',
    'h264',
    'pipe:1',
  ]
  const child = spawn(ffmpeg, [...general, ...INPUT, ...output], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => undefined)
  child.stdin.end(inputList(address, tcp))
  return child
}
