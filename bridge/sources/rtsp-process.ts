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

/** Starts ffmpeg: H.264 as it is, as an Annex-B stream with an access unit delimiter before each picture. */
export function spawnRtsp(ffmpeg: string, address: string, tcp: boolean): ChildProcessWithoutNullStreams {
  const input = [
    '-f',
    'concat',
    '-safe',
    '0',
    '-protocol_whitelist',
    'pipe,rtsp,rtsps,rtp,udp,tcp,tls,crypto',
    '-i',
    'pipe:0',
  ]
  const filters = 'h264_mp4toannexb,dump_extra=freq=keyframe,h264_metadata=aud=insert'
  const output = [
    '-map',
    '0:v:0',
    '-c:v',
    'copy',
    '-an',
    '-bsf:v',
    filters,
    '-flush_packets',
    '1',
    '-f',
    'h264',
    'pipe:1',
  ]
  const child = spawn(
    ffmpeg,
    ['-hide_banner', '-nostats', '-loglevel', 'info', '-fflags', 'nobuffer', ...input, ...output],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  child.stdin.on('error', () => undefined)
  child.stdin.end(inputList(address, tcp))
  return child
}
