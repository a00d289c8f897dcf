import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createCanvas, ImageData } from '@napi-rs/canvas'
import { H, W } from './kit/camera.ts'
import { FPS, encoder, half } from './kit/encode.ts'
import type { Action, Place } from './kit/place.ts'
import { Shot } from './kit/shot.ts'
import { bake } from './kit/stage.ts'
import type { ActionManifest, Box, Light, LightManifest, Manifest, Segment } from './manifest.ts'

const here = new URL('./', import.meta.url)
const ALL = ['driveway', 'front-door', 'backyard', 'living-room', 'street', 'garage']

/** Picture file of a frame, drawn `w` pixels wide. */
function picture(frame: Uint8ClampedArray, w: number, type: 'jpeg' | 'png'): Buffer {
  const full = createCanvas(W, H),
    h = (w * H) / W,
    small = createCanvas(w, h),
    g = small.getContext('2d')
  full.getContext('2d').putImageData(new ImageData(frame, W, H), 0, 0)
  g.imageSmoothingQuality = 'high'
  g.drawImage(full, 0, 0, w, h)
  return type === 'png' ? small.toBuffer('image/png') : small.toBuffer('image/jpeg', 82)
}

/** The first and last second in which any box moves. */
function moving(boxes: Box[][]): { from: number; to: number } {
  const key = (b: Box[]): string =>
    b.map((x) => `${x.kind}${x.x.toFixed(3)},${x.y.toFixed(3)},${x.w.toFixed(3)},${x.h.toFixed(3)}`).join(';')
  const hits = boxes.flatMap((b, i) => (i > 0 && key(b) !== key(boxes[i - 1]!) ? [i] : []))
  return { from: (hits[0] ?? 0) / FPS, to: (hits[hits.length - 1] ?? 0) / FPS }
}

/** Renders and encodes one segment. */
async function segment(
  shot: Shot,
  place: Place,
  light: Light,
  id: string,
  seconds: number,
  draw: Action['draw'],
): Promise<{ seg: Segment; boxes: Box[][] }> {
  const base = `rendered/${place.id}/${light}-${id}`,
    files: Record<string, string> = {},
    boxes: Box[][] = []
  for (const r of place.renditions) files[r] = `${base}.${r}.h264`
  const encoders = place.renditions.map((r) => ({ r, e: encoder(new URL(files[r]!, here).pathname, r) }))
  for (let i = 0; i < seconds * FPS; i++) {
    const t = i / FPS,
      frame = shot.render(t, (s) => {
        place.always?.(s, t)
        draw(s, t)
      })
    boxes.push(shot.boxes.map((b) => ({ t, ...b })))
    for (const { r, e } of encoders) await e.write(r === '360' ? half(frame) : Uint8Array.from(frame))
  }
  for (const { e } of encoders) await e.end()
  return { seg: { frames: seconds * FPS, files }, boxes }
}

/** Writes the thumbnail of an action's best moment. */
function thumbnail(shot: Shot, place: Place, light: Light, a: Action): string {
  const thumb = `rendered/${place.id}/${light}-${a.id}.jpg`
  writeFileSync(
    new URL(thumb, here),
    picture(
      shot.render(a.best, (s) => {
        place.always?.(s, a.best)
        a.draw(s, a.best)
      }),
      320,
      'jpeg',
    ),
  )
  return thumb
}

/** What the script says about an action. */
const words = (
  a: Action,
): Pick<ActionManifest, 'id' | 'label' | 'summary' | 'best' | 'tags' | 'people' | 'sounds'> => ({
  id: a.id,
  label: a.label,
  summary: a.summary,
  best: a.best,
  tags: a.tags,
  people: a.people ?? [],
  sounds: a.sounds ?? [],
})

/** Renders an action and its thumbnail. */
async function action(shot: Shot, place: Place, light: Light, a: Action): Promise<ActionManifest> {
  const { seg, boxes } = await segment(shot, place, light, a.id, a.seconds, a.draw),
    thumb = thumbnail(shot, place, light, a)
  const round = (x: number): number => Math.round(Math.min(1, Math.max(0, x)) * 1000) / 1000,
    { from, to } = moving(boxes)
  const every = boxes.flatMap((b, i) => (i % 7 === 0 || Math.abs(i / FPS - a.best) < 0.04 ? b : []))
  return {
    ...words(a),
    ...seg,
    thumb,
    from: Math.round(from * 100) / 100,
    to: Math.round(to * 100) / 100,
    boxes: every.map((b) => ({
      t: Math.round(b.t * 100) / 100,
      kind: b.kind,
      x: round(b.x),
      y: round(b.y),
      w: round(b.w),
      h: round(b.h),
    })),
  }
}

/** Paints a place once and makes it ready for actors. */
function shotOf(place: Place, light: Light): Shot {
  const mesh = place.build(),
    shot = new Shot(bake(mesh, place.camera, place[light], place.centre, place.radius), place.wind)
  shot.skyShare = place.skyShare
  if (light === 'day' && place.openDay)
    shot.openStage = bake(mesh, place.camera, place.openDay, place.centre, place.radius)
  return shot
}

/** All segments of a place in one light. */
async function lightOf(
  place: Place,
  light: Light,
  only: string | undefined,
  old: LightManifest | undefined,
): Promise<LightManifest> {
  const shot = shotOf(place, light)
  const poster = `rendered/${place.id}/${light}-poster.jpg`,
    list = light === 'day' ? place.dayActions : place.nightActions
  writeFileSync(
    new URL(poster, here),
    picture(
      shot.render(0, (s) => place.always?.(s, 0)),
      640,
      'jpeg',
    ),
  )
  const quiet =
      only && only !== 'quiet' && old ? old.quiet : (await segment(shot, place, light, 'quiet', 40, place.quiet)).seg,
    actions: ActionManifest[] = []
  for (const a of list) {
    const before = old?.actions.find((x) => x.id === a.id)
    actions.push(
      only && only !== a.id && before
        ? { ...before, ...words(a), thumb: thumbnail(shot, place, light, a) }
        : await action(shot, place, light, a),
    )
    console.log(`${place.id} ${light} ${a.id}`)
  }
  return { poster, quiet, actions }
}

/** Writes a sheet of moments of every segment, for looking. */
function contact(place: Place, light: Light, path: string, only: string | undefined): void {
  const shot = shotOf(place, light)
  const list = (light === 'day' ? place.dayActions : place.nightActions).filter((a) => !only || a.id === only),
    cols = 4,
    per = only ? 16 : 8,
    w = only ? 640 : 480,
    h = (w * 9) / 16
  const sheet = createCanvas(cols * w, (per / cols) * h * list.length),
    g = sheet.getContext('2d'),
    big = createCanvas(W, H)
  list.forEach((a, n) => {
    for (let k = 0; k < per; k++) {
      const t = (a.seconds * (k + 0.5)) / per
      big.getContext('2d').putImageData(
        new ImageData(
          shot.render(t, (s) => {
            place.always?.(s, t)
            a.draw(s, t)
          }),
          W,
          H,
        ),
        0,
        0,
      )
      g.drawImage(big, (k % cols) * w, (Math.floor(k / cols) + (n * per) / cols) * h, w, h)
    }
  })
  writeFileSync(path, sheet.toBuffer('image/png'))
}

/** Reads options and renders. */
async function main(): Promise<void> {
  const args = process.argv.slice(2),
    opt = (k: string): string | undefined => args.find((a) => a.startsWith(`--${k}=`))?.split('=')[1]
  const names = args.filter((a) => !a.startsWith('--')),
    lights = (opt('light') ? [opt('light')] : ['day', 'night']) as Light[]
  for (const id of names.length ? names : ALL) {
    const { place } = (await import(`./places/${id}/place.ts`)) as { place: Place }
    const sheet = opt('contact')
    if (sheet) {
      for (const l of lights) contact(place, l, sheet.replace(/(\.png)?$/, `-${l}.png`), opt('only'))
      continue
    }
    mkdirSync(new URL(`rendered/${id}/`, here), { recursive: true })
    for (const l of lights) {
      const file = new URL('manifest.json', here),
        read = (): Manifest =>
          existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : { fps: FPS, gop: 15, scenes: {} }
      const part = await lightOf(place, l, opt('only'), read().scenes[id]?.lights[l]),
        m = read()
      const empty = { poster: '', quiet: { frames: 0, files: {} }, actions: [] }
      m.scenes[id] = {
        name: place.name,
        renditions: place.renditions,
        outdoor: place.outdoor,
        lights: { ...(m.scenes[id]?.lights ?? { day: empty, night: empty }), [l]: part },
      }
      writeFileSync(file, `${JSON.stringify(m)}\n`)
    }
  }
}

await main()
