import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'

/** Transport by TCP is asked for in the address: that works in every version of ffmpeg. */
function withTcp(address: string): string {
  const url = new URL(address)
  return `${url.href}${url.search ? '&' : '?'}tcp`
}

/**
 * The list that ffmpeg reads its input from. Only its standard input knows the address, so that its password stands in no
 * process list.
 */
export function inputList(address: string): string {
  return `ffconcat version 1.0\nfile '${withTcp(address).replaceAll("'", "'\\''")}'\n`
}

/** Starts ffmpeg: H.264 as it is, as an Annex-B stream with an access unit delimiter before each picture. */
export function spawnRtsp(ffmpeg: string, address: string): ChildProcessWithoutNullStreams {
  const input = ['-f', 'concat', '-safe', '0', '-protocol_whitelist', 'pipe,rtsp,rtsps,rtp,tcp,tls,crypto', '-i', 'pipe:0']
  const filters = 'h264_mp4toannexb,dump_extra=freq=keyframe,h264_metadata=aud=insert'
  const output = ['-map', '0:v:0', '-c:v', 'copy', '-an', '-bsf:v', filters, '-flush_packets', '1', '-f', 'h264', 'pipe:1']
  const child = spawn(ffmpeg, ['-hide_banner', '-nostats', '-loglevel', 'info', '-fflags', 'nobuffer', ...input, ...output], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(inputList(address))
  return child
}
