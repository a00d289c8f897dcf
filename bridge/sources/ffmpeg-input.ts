import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Readable } from 'node:stream'
import { FLV } from '../media/h264/flv-reader.ts'
import { TRANSCODE } from '../media/h264/transcoder.ts'

/** Time for ffmpeg to find parameter sets, µs; `patient`: for a camera that sends them only with rare keyframes. */
const ANALYSIS_US = { usual: 5_000_000, patient: 40_000_000 }

/** Datagrams may be reordered, and a keyframe's datagrams arrive in a burst. */
const UDP = ['rtsp_transport udp', 'reorder_queue_size 500', 'buffer_size 2000000']

type Input = Pick<Connection, 'address' | 'options' | 'patient' | 'deaf' | 'udp'>

/**
 * Builds the list that ffmpeg reads from standard input, so that the address does not appear in a process list. Without
 * `options`, ffmpeg uses its defaults: versions before 5 support no options in a list.
 */
export function inputList({ address, options, patient, deaf, udp }: Input): string {
  const analysis = patient ? ANALYSIS_US.patient : ANALYSIS_US.usual
  // The frame rate is not needed, and measuring it would take two seconds.
  const transport = udp ? UDP : ['rtsp_transport tcp']
  const lines = [...transport, 'fpsprobesize 0', `analyzeduration ${analysis}`, `probesize ${analysis * 10}`]
  if (deaf) lines.push('allowed_media_types video')
  return `ffconcat version 1.0\nfile '${address}'\n${options ? lines.map((line) => `option ${line}\n`).join('') : ''}`
}

export const KNOWS_NO_OPTION = /unknown keyword '?option/i

const INPUT = [
  ...['-f', 'concat', '-safe', '0', '-protocol_whitelist', 'pipe,rtsp,rtp,udp,tcp'],
  // With B-frames, ffmpeg finds no timestamp for the first frame, and does not write a frame without one.
  ...['-fpsprobesize', '0', '-analyzeduration', '500000', '-use_wallclock_as_timestamps', '1', '-i', 'pipe:0'],
]
/**
 * ffmpeg arguments that copy H.264, including frames before the first keyframe: without them, a camera that is slow to
 * send a keyframe would seem silent.
 */
const COPY = [
  '-c:v',
  'copy',
  '-copyinkf',
  '-bsf:v',
  'h264_mp4toannexb,dump_extra=freq=keyframe,h264_metadata=aud=insert',
]
/** Encodes audio as Opus packets of 20 ms, one per Ogg page so that none waits for the next. */
const SOUND = [
  ...['-map', '0:a:0', '-c:a', 'libopus', '-b:a', '32k', '-vbr', 'constrained', '-ac', '1', '-ar', '48000'],
  ...['-frame_duration', '20', '-page_duration', '20000', '-flush_packets', '1', '-f', 'ogg', 'pipe:3'],
]

export interface Connection {
  readonly ffmpeg: string
  /** RTSP address of the local proxy (`RtspGate`) to the camera. */
  readonly address: string
  /** True to set options in the input list (see `inputList`). */
  readonly options: boolean
  readonly patient: boolean
  /** True to request UDP instead of packets that are interleaved in the RTSP connection (RFC 2326 §10.12). */
  readonly udp: boolean
  /** Transcodes to H.264 instead of passing the camera's H.264 through. */
  readonly transcode: boolean
  /** Requests video only: ffmpeg would probe undecodable audio for seconds. */
  readonly deaf: boolean
  /** True to output the camera's audio too; ffmpeg ends if there is none. */
  readonly sound: boolean
}

export interface RtspProcess {
  /** ffmpeg process, which writes H.264 in FLV to standard output. */
  readonly child: ChildProcessWithoutNullStreams
  /** Audio output of ffmpeg: Opus in Ogg. */
  readonly sound: Readable
}

/** Starts ffmpeg for one connection to a camera: one process for both streams keeps audio and video in sync. */
export function spawnRtsp(connection: Connection): RtspProcess {
  const { ffmpeg, transcode, sound } = connection
  const general = ['-hide_banner', '-nostats', '-loglevel', 'info']
  const picture = ['-map', '0:v:0', ...(transcode ? TRANSCODE : COPY), ...FLV, 'pipe:1']
  const child = spawn(ffmpeg, [...general, ...INPUT, ...picture, ...(sound ? SOUND : [])], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessWithoutNullStreams
  child.stdin.on('error', () => undefined)
  child.stdin.end(inputList(connection))
  return { child, sound: child.stdio[3] as Readable }
}
