import { spawn } from 'node:child_process'
import { toAnnexB, type EncodedFrame } from './h264/annex-b.ts'
import { READ_BYTES_MAX } from '../limits.ts'

const FFMPEG_TIMEOUT_MS = 10_000

/**
 * Encodes the last frame as JPEG, at most 640 pixels wide. The first frame must be a keyframe; the others are needed to
 * decode the last. Throws if ffmpeg is missing or produces no image.
 */
export function encodeJpeg(frames: readonly EncodedFrame[]): Promise<Buffer> {
  const filter = `select='eq(n,${frames.length - 1})',scale='min(640,iw)':-2`
  const input = ['-v', 'error', '-threads', '1', '-f', 'h264', '-i', 'pipe:0']
  const args = [...input, '-vf', filter, '-frames:v', '1', '-q:v', '4', '-f', 'mjpeg', 'pipe:1']
  return new Promise((resolve, reject) => {
    const child = spawn('ffmpeg', args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: FFMPEG_TIMEOUT_MS })
    const chunks: Buffer[] = []
    let length = 0
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > READ_BYTES_MAX.jpeg) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('error', reject)
    child.on('close', () =>
      chunks.length > 0 && length <= READ_BYTES_MAX.jpeg
        ? resolve(Buffer.concat(chunks))
        : reject(new Error('ffmpeg returned no usable image')),
    )
    child.stdin.on('error', () => undefined)
    child.stdin.end(toAnnexB(frames.flatMap((picture) => picture.nals)))
  })
}
