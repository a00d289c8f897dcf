import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Readable } from 'node:stream'
import { FLV } from '../media/h264/flv-reader.ts'
import { TRANSCODE } from '../media/h264/transcoder.ts'

/** How long ffmpeg may look for the first parameter sets, µs; patiently: of a camera that sends them with rare keyframes only. */
const ANALYSIS_US = { usual: 5_000_000, patient: 40_000_000 }

/** Datagrams may overtake each other, and those of a keyframe come at once. */
const UDP = ['rtsp_transport udp', 'reorder_queue_size 500', 'buffer_size 2000000']

type Input = Pick<Connection, 'address' | 'options' | 'patient' | 'deaf' | 'udp'>

/**
 * The list that ffmpeg reads its input from. Only its standard input knows the address, which other programs shall not find
 * in a process list. Without `options` ffmpeg chooses: versions before 5 know none in a list.
 */
export function inputList({ address, options, patient, deaf, udp }: Input): string {
  const analysis = patient ? ANALYSIS_US.patient : ANALYSIS_US.usual
  // The rate of the pictures does not matter: measuring it would take two seconds.
  const transport = udp ? UDP : ['rtsp_transport tcp']
  const lines = [...transport, 'fpsprobesize 0', `analyzeduration ${analysis}`, `probesize ${analysis * 10}`]
  if (deaf) lines.push('allowed_media_types video')
  return `ffconcat version 1.0\nfile '${address}'\n${options ? lines.map((line) => `option ${line}\n`).join('') : ''}`
}

/** What a version of ffmpeg says that knows no options in a list. */
export const KNOWS_NO_OPTION = /unknown keyword '?option/i

const INPUT = [
  ...['-f', 'concat', '-safe', '0', '-protocol_whitelist', 'pipe,rtsp,rtp,udp,tcp'],
  // Where there are B-frames ffmpeg finds no time for the first picture, and does not write one without.
  ...['-fpsprobesize', '0', '-analyzeduration', '500000', '-use_wallclock_as_timestamps', '1', '-i', 'pipe:0'],
]
/** H.264 as the camera sends it, also before its first keyframe: a camera that is slow with it is not silent. */
const COPY = [
  '-c:v',
  'copy',
  '-copyinkf',
  '-bsf:v',
  'h264_mp4toannexb,dump_extra=freq=keyframe,h264_metadata=aud=insert',
]
/** Any sound as Opus packets of 20 ms, one a page so that none waits for the next. */
const SOUND = [
  ...['-map', '0:a:0', '-c:a', 'libopus', '-b:a', '32k', '-vbr', 'constrained', '-ac', '1', '-ar', '48000'],
  ...['-frame_duration', '20', '-page_duration', '20000', '-flush_packets', '1', '-f', 'ogg', 'pipe:3'],
]

export interface Connection {
  readonly ffmpeg: string
  /** That of the gate (`RtspGate`). */
  readonly address: string
  /** See `inputList`. */
  readonly options: boolean
  readonly patient: boolean
  /** Ask for datagrams instead of packets in the connection (RFC 2326 §10.12). */
  readonly udp: boolean
  /** Decode what the camera sends and encode it as H.264, instead of passing on its H.264. */
  readonly transcode: boolean
  /** Ask for its pictures only: ffmpeg would look at a sound for seconds that it cannot read. */
  readonly deaf: boolean
  /** Pass its sound on; ffmpeg ends when there is none. */
  readonly sound: boolean
}

export interface RtspProcess {
  /** H.264 in FLV comes from its standard output. */
  readonly child: ChildProcessWithoutNullStreams
  /** Opus in Ogg. */
  readonly sound: Readable
}

/** Starts ffmpeg for one connection to a camera; one process for both, so that picture and sound stay together. */
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
