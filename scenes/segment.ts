import { startEncoder, halveFrame, FPS } from './kit/encode.ts'
import type { Action, Scene } from './kit/place.ts'
import type { Shot } from './kit/shot.ts'
import type { TimedBox } from './manifest.ts'

const scenesUrl = new URL('./', import.meta.url)

/** Returns the path prefix of a segment's files, relative to this folder. */
export const getBasePath = (scene: Scene, light: string, id: string): string => `rendered/${scene.id}/${light}-${id}`

/**
 * Renders and encodes one segment. `files`: paths of the output files by rendition (`kit/encode.ts`), relative to this
 * folder. Returns the bounding boxes of each frame.
 */
export async function renderSegment(
  shot: Shot,
  scene: Scene,
  files: Record<string, string>,
  seconds: number,
  draw: Action['draw'],
): Promise<TimedBox[][]> {
  const boxes: TimedBox[][] = []
  const { dusk, night } = shot.staticImage.light,
    nightQpOffset = night ? (scene.nightQpOffset ?? 0) : 0
  const encoders = Object.entries(files).map(([size, file]) => ({
    size,
    e: startEncoder(new URL(file, scenesUrl).pathname, size, dusk ? 2 : nightQpOffset),
  }))
  for (let i = 0; i < seconds * FPS; i++) {
    const t = i / FPS,
      frame = shot.render(t, (s) => {
        scene.always?.(s, t)
        draw(s, t)
      })
    boxes.push(shot.boxes.map((b) => ({ t, ...b })))
    for (const { size, e } of encoders) await e.write(size === '720' ? new Uint8Array(frame) : halveFrame(frame))
  }
  for (const { e } of encoders) await e.end()
  return boxes
}

/** Returns the times in seconds at which the boxes change first and last; both are 0 if no box changes. */
export function getMotionInterval(boxes: readonly TimedBox[][]): { from: number; to: number } {
  const key = (b: TimedBox[]): string =>
    b.map((x) => `${x.kind}${x.x.toFixed(3)},${x.y.toFixed(3)},${x.w.toFixed(3)},${x.h.toFixed(3)}`).join(';')
  const hits = boxes.flatMap((b, i) => (i > 0 && key(b) !== key(boxes[i - 1]!) ? [i] : []))
  return { from: roundTo((hits[0] ?? 0) / FPS, 100), to: roundTo((hits[hits.length - 1] ?? 0) / FPS, 100) }
}

/** Returns the boxes that the manifest stores: of about two frames per second, and of the frame at second `best`. */
export function selectBoxes(boxes: readonly TimedBox[][], best: number): TimedBox[] {
  const roundFraction = (x: number): number => roundTo(Math.min(1, Math.max(0, x)), 1000)
  return boxes
    .flatMap((b, i) => (i % 7 === 0 || Math.abs(i / FPS - best) < 0.04 ? b : []))
    .map((b) => ({
      t: roundTo(b.t, 100),
      kind: b.kind,
      x: roundFraction(b.x),
      y: roundFraction(b.y),
      w: roundFraction(b.w),
      h: roundFraction(b.h),
    }))
}

const roundTo = (x: number, factor: number): number => Math.round(x * factor) / factor
