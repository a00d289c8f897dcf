import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { FRAME_HEIGHT, FRAME_WIDTH } from './camera.ts'

export const FPS = 15

/**
 * Encoder settings per rendition. With a constant quantizer (`qp`), static parts of the video do not flicker at each
 * keyframe.
 */
const ENCODER_SETTINGS: Record<string, { w: number; h: number; qp: number }> = {
  360: { w: 640, h: 360, qp: 30 },
  inset: { w: 640, h: 360, qp: 33 },
  720: { w: 1280, h: 720, qp: 36 },
}

/** Starts ffmpeg for one raw Annex-B file. `qpOffset`: added to the quantizer, for dim frames. */
export function startEncoder(
  path: string,
  rendition: string,
  qpOffset = 0,
): { write: (frame: Uint8Array) => Promise<void>; end: () => Promise<void> } {
  const { w, h, qp } = ENCODER_SETTINGS[rendition]!
  const x264 =
    'keyint=15:min-keyint=15:scenecut=0:bframes=0:repeat-headers=1:aud=1:sliced-threads=0:slices=1:ipratio=1.0:mbtree=0:open-gop=0:psy=0:aq-mode=0'
  const p = spawn(
    'ffmpeg',
    [
      '-v',
      'error',
      '-y',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgba',
      '-s',
      `${w}x${h}`,
      '-r',
      String(FPS),
      '-i',
      '-',
      '-an',
      '-c:v',
      'libx264',
      '-profile:v',
      'baseline',
      '-preset',
      'slow',
      '-threads',
      '1',
      '-pix_fmt',
      'yuv420p',
      '-qp',
      String(qp + qpOffset),
      '-x264-params',
      x264,
      '-f',
      'h264',
      path,
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  )
  const done = once(p, 'close')
  return {
    write: async (f) => {
      if (!p.stdin.write(f)) await once(p.stdin, 'drain')
    },
    end: async () => {
      p.stdin.end()
      const [code] = await done
      if (code !== 0) throw new Error(`ffmpeg ended with ${String(code)} for ${path}`)
    },
  }
}

/** Scales an RGBA frame from 1280x720 to 640x360; each output pixel is the mean of 2x2 pixels. */
export function halveFrame(f: Uint8ClampedArray): Uint8Array {
  const w = FRAME_WIDTH / 2,
    h = FRAME_HEIGHT / 2,
    out = new Uint8Array(w * h * 4)
  for (let y = 0, o = 0; y < h; y++) {
    for (let x = 0; x < w; x++, o += 4) {
      const a = (y * 2 * FRAME_WIDTH + x * 2) * 4,
        b = a + FRAME_WIDTH * 4
      for (let c = 0; c < 3; c++) out[o + c] = (f[a + c]! + f[a + 4 + c]! + f[b + c]! + f[b + 4 + c]! + 2) >> 2
      out[o + 3] = 255
    }
  }
  return out
}
