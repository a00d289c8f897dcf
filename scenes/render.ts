import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createCanvas, ImageData } from '@napi-rs/canvas'
import { H, W } from './kit/camera.ts'
import { insetShot, renderInset } from './inset.ts'
import { FPS } from './kit/encode.ts'
import { listActions, getLightSetup, type Action, type Place } from './kit/place.ts'
import { Shot } from './kit/shot.ts'
import { bake } from './kit/stage.ts'
import type { ActionManifest, Light, LightManifest, Manifest, Segment } from './manifest.ts'
import { renderSound } from './sound.ts'
import { getBasePath, listed, moving, renderSegment } from './segment.ts'

const here = new URL('./', import.meta.url)
const ALL = ['driveway', 'front-door', 'backyard', 'living-room', 'street', 'garage']

/** Encodes a frame as an image file `w` pixels wide. */
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

/** Writes the thumbnail at the action's best second; returns its path. */
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

/** Returns the scripted metadata of an action. */
const words = (
  a: Action,
  seen: Place['moments'],
  light: Light,
): Pick<ActionManifest, 'id' | 'label' | 'summary' | 'best' | 'tags' | 'people' | 'sounds' | 'moments'> => ({
  id: a.id,
  label: a.label,
  summary: a.summary,
  best: a.best,
  tags: a.tags,
  people: a.people ?? [],
  sounds: a.sounds ?? [],
  moments: seen[`${light}/${a.id}`] ?? [],
})

function listFiles(place: Place, light: Light, id: string): Record<string, string> {
  return Object.fromEntries(place.renditions.map((r) => [r, `${getBasePath(place, light, id)}.${r}.h264`]))
}

async function action(shot: Shot, place: Place, light: Light, a: Action): Promise<ActionManifest> {
  const files = listFiles(place, light, a.id),
    boxes = await renderSegment(shot, place, files, a.seconds, a.draw),
    thumb = thumbnail(shot, place, light, a)
  return {
    ...words(a, place.moments, light),
    frames: boxes.length,
    files,
    thumb,
    ...moving(boxes),
    boxes: listed(boxes, a.best),
  }
}

/** Renders the quiet segment: 40 s, or 20 s at dusk, which is short. */
async function renderQuiet(shot: Shot, place: Place, light: Light): Promise<Segment> {
  const files = listFiles(place, light, 'quiet'),
    boxes = await renderSegment(shot, place, files, light === 'dusk' ? 20 : 40, place.quiet)
  return { frames: boxes.length, files }
}

/** Renders the static image of a scene and prepares it for actors. */
function createShot(place: Place, light: Light): Shot {
  const mesh = place.build(),
    open = getLightSetup(place, light, true),
    shot = new Shot(bake(mesh, place.camera, getLightSetup(place, light)!, place.centre, place.radius), place.wind)
  shot.skyShare = place.skyShare
  if (open) shot.openStage = bake(mesh, place.camera, open, place.centre, place.radius)
  return shot
}

async function renderLight(
  place: Place,
  light: Light,
  only: string | undefined,
  old: LightManifest | undefined,
): Promise<LightManifest> {
  const shot = createShot(place, light)
  const poster = `rendered/${place.id}/${light}-poster.jpg`
  writeFileSync(
    new URL(poster, here),
    picture(
      shot.render(0, (s) => place.always?.(s, 0)),
      640,
      'jpeg',
    ),
  )
  const quiet = only && only !== 'quiet' && old ? old.quiet : await renderQuiet(shot, place, light),
    actions: ActionManifest[] = []
  for (const a of listActions(place, light)) {
    const before = old?.actions.find((x) => x.id === a.id)
    actions.push(
      only && only !== a.id && before
        ? { ...before, ...words(a, place.moments, light), thumb: thumbnail(shot, place, light, a) }
        : { ...(before?.inset && { inset: before.inset }), ...(await action(shot, place, light, a)) },
    )
    console.log(`${place.id} ${light} ${a.id}`)
  }
  return { poster, quiet, actions }
}

/** Writes a contact sheet of every segment for visual review. */
function contact(shot: Shot, place: Place, light: Light, path: string, only: string | undefined): void {
  const list = listActions(place, light).filter((a) => !only || a.id === only),
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

/** Renders a scene at one time of day and updates the manifest immediately, so that a stopped run keeps its results. */
async function render(place: Place, light: Light, view: string, only: string | undefined): Promise<void> {
  const file = new URL('manifest.json', here),
    read = (): Manifest =>
      existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : { fps: FPS, gop: 15, scenes: {} }
  let part = read().scenes[place.id]?.lights[light]
  if (!part || view === 'all' || view === 'main') part = await renderLight(place, light, only, part)
  if (view === 'all' || view === 'inset') part = await renderInset(place, light, only, part)
  if (view === 'all' || view === 'sound') part = await renderSound(place, light, part)
  const m = read(),
    empty = { poster: '', quiet: { frames: 0, files: {} }, actions: [] }
  m.scenes[place.id] = {
    name: place.name,
    renditions: place.renditions,
    outdoor: place.outdoor,
    lights: { ...(m.scenes[place.id]?.lights ?? { day: empty, dusk: empty, night: empty }), [light]: part },
  }
  writeFileSync(file, `${JSON.stringify(m)}\n`)
}

async function main(): Promise<void> {
  const args = process.argv.slice(2),
    opt = (k: string): string | undefined => args.find((a) => a.startsWith(`--${k}=`))?.split('=')[1]
  const names = args.filter((a) => !a.startsWith('--')),
    lights = (opt('light') ? [opt('light')] : ['day', 'dusk', 'night']) as Light[],
    sheet = opt('contact'),
    only = opt('only')
  for (const id of names.length ? names : ALL) {
    const { place } = (await import(`./places/${id}/place.ts`)) as { place: Place }
    mkdirSync(new URL(`rendered/${id}/`, here), { recursive: true })
    for (const light of lights) {
      if (!sheet) await render(place, light, opt('view') ?? 'all', only)
      else {
        const shot = (opt('view') === 'inset' && insetShot(place, light)) || createShot(place, light)
        contact(shot, place, light, sheet.replace(/(\.png)?$/, `-${light}.png`), only)
      }
    }
  }
}

await main()
