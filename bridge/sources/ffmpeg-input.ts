import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Readable } from 'node:stream'
import { FLV_OUTPUT_ARGS } from '../media/h264/flv-reader.ts'
import { TRANSCODE_ARGS } from '../media/h264/transcoder.ts'

/** Time for ffmpeg to find parameter sets, µs. `patient` applies to cameras with rare keyframes. */
const ANALYZE_DURATION_US = { usual: 5_000_000, patient: 40_000_000 }

/** ffmpeg options for UDP: buffers for reordered datagrams, and for keyframes that arrive in a burst. */
const UDP_OPTIONS = ['rtsp_transport udp', 'reorder_queue_size 500', 'buffer_size 2000000']

type InputListOptions = Pick<FfmpegConnection, 'address' | 'options' | 'patient' | 'deaf' | 'udp'>

/**
 * Builds ffmpeg's input list, which ffmpeg reads from standard input, so that process lists do not show the address.
 * `options`: false before ffmpeg 5, which introduced options in an input list.
 */
export function buildInputList({ address, options, patient, deaf, udp }: InputListOptions): string {
  const analysis = patient ? ANALYZE_DURATION_US.patient : ANALYZE_DURATION_US.usual
  // `fpsprobesize 0`: the bridge does not need the frame rate, and measuring it would take two seconds.
  const transport = udp ? UDP_OPTIONS : ['rtsp_transport tcp']
  const lines = [...transport, 'fpsprobesize 0', `analyzeduration ${analysis}`, `probesize ${analysis * 10}`]
  if (deaf) lines.push('allowed_media_types video')
  return `ffconcat version 1.0\nfile '${address}'\n${options ? lines.map((line) => `option ${line}\n`).join('') : ''}`
}

export const UNSUPPORTED_OPTION_PATTERN = /unknown keyword '?option/i

const INPUT_ARGS = [
  '-f',
  'concat',
  '-safe',
  '0',
  '-protocol_whitelist',
  'pipe,rtsp,rtp,udp,tcp',
  // Without `use_wallclock_as_timestamps`, the first frame of a stream with B-frames gets no timestamp, so ffmpeg drops
  // this frame.
  '-fpsprobesize',
  '0',
  '-analyzeduration',
  '500000',
  '-use_wallclock_as_timestamps',
  '1',
  '-i',
  'pipe:0',
]
/**
 * ffmpeg arguments that copy H.264. Frames before the first keyframe are included, because a camera with rare keyframes
 * would otherwise look disconnected.
 */
const VIDEO_COPY_ARGS = [
  '-c:v',
  'copy',
  '-copyinkf',
  '-bsf:v',
  'h264_mp4toannexb,dump_extra=freq=keyframe,h264_metadata=aud=insert',
]
/** ffmpeg arguments that encode audio as 20 ms Opus packets, one per Ogg page to avoid delay. */
const AUDIO_ARGS = [
  '-map',
  '0:a:0',
  '-c:a',
  'libopus',
  '-b:a',
  '32k',
  '-vbr',
  'constrained',
  '-ac',
  '1',
  '-ar',
  '48000',
  '-frame_duration',
  '20',
  '-page_duration',
  '20000',
  '-flush_packets',
  '1',
  '-f',
  'ogg',
  'pipe:3',
]

export interface FfmpegConnection {
  readonly ffmpeg: string
  /** RTSP address of the local proxy (`RtspProxy`) to the camera. */
  readonly address: string
  /** True to set options in the input list (see `buildInputList`). */
  readonly options: boolean
  readonly patient: boolean
  /** True to request UDP instead of packets that are interleaved in the RTSP connection (RFC 2326 §10.12). */
  readonly udp: boolean
  readonly transcode: boolean
  /** True to request only video, because ffmpeg would analyze undecodable audio for several seconds. */
  readonly deaf: boolean
  /** True to output the camera's audio too. ffmpeg then exits if the camera has no audio. */
  readonly sound: boolean
}

export interface RtspProcess {
  /** ffmpeg process, which writes H.264 in FLV to standard output. */
  readonly child: ChildProcessWithoutNullStreams
  /** Audio output of ffmpeg: Opus in Ogg. */
  readonly sound: Readable
}

/**
 * Starts ffmpeg for one connection to a camera. One process handles both audio and video, so that they stay in sync.
 */
export function spawnRtspProcess(connection: FfmpegConnection): RtspProcess {
  const { ffmpeg, transcode, sound } = connection
  const general = ['-hide_banner', '-nostats', '-loglevel', 'info']
  const videoArgs = ['-map', '0:v:0', ...(transcode ? TRANSCODE_ARGS : VIDEO_COPY_ARGS), ...FLV_OUTPUT_ARGS, 'pipe:1']
  const child = spawn(ffmpeg, [...general, ...INPUT_ARGS, ...videoArgs, ...(sound ? AUDIO_ARGS : [])], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessWithoutNullStreams
  child.stdin.on('error', () => undefined)
  child.stdin.end(buildInputList(connection))
  return { child, sound: child.stdio[3] as Readable }
}
