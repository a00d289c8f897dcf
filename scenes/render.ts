import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createCanvas, ImageData } from '@napi-rs/canvas'
import { FRAME_HEIGHT, FRAME_WIDTH } from './kit/camera.ts'
import { createInsetShot, renderInset } from './inset.ts'
import { FPS } from './kit/encode.ts'
import { listActions, getLightSetup, type Action, type Place } from './kit/place.ts'
import { Shot } from './kit/shot.ts'
import { bakeStaticImage } from './kit/stage.ts'
import type { ActionManifest, TimeOfDay, LightManifest, Manifest, Segment } from './manifest.ts'
import { renderSound } from './sound.ts'
import { getBasePath, selectBoxes, getMotionInterval, renderSegment } from './segment.ts'

const scenesUrl = new URL('./', import.meta.url)
const SCENE_IDS = ['driveway', 'front-door', 'backyard', 'living-room', 'street', 'garage']

function encodeImage(frame: Uint8ClampedArray, w: number, type: 'jpeg' | 'png'): Buffer {
  const full = createCanvas(FRAME_WIDTH, FRAME_HEIGHT),
    h = (w * FRAME_HEIGHT) / FRAME_WIDTH,
    small = createCanvas(w, h),
    g = small.getContext('2d')
  full.getContext('2d').putImageData(new ImageData(frame, FRAME_WIDTH, FRAME_HEIGHT), 0, 0)
  g.imageSmoothingQuality = 'high'
  g.drawImage(full, 0, 0, w, h)
  return type === 'png' ? small.toBuffer('image/png') : small.toBuffer('image/jpeg', 82)
}

function writeThumbnail(shot: Shot, place: Place, light: TimeOfDay, a: Action): string {
  const thumb = `rendered/${place.id}/${light}-${a.id}.jpg`
  writeFileSync(
    new URL(thumb, scenesUrl),
    encodeImage(
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

/** Returns the part of an action's manifest that does not depend on rendered frames. */
const getActionMetadata = (
  a: Action,
  moments: Place['moments'],
  light: TimeOfDay,
): Pick<ActionManifest, 'id' | 'label' | 'summary' | 'best' | 'tags' | 'people' | 'sounds' | 'moments'> => ({
  id: a.id,
  label: a.label,
  summary: a.summary,
  best: a.best,
  tags: a.tags,
  people: a.people ?? [],
  sounds: a.sounds ?? [],
  moments: moments[`${light}/${a.id}`] ?? [],
})

function listFiles(place: Place, light: TimeOfDay, id: string): Record<string, string> {
  return Object.fromEntries(place.renditions.map((r) => [r, `${getBasePath(place, light, id)}.${r}.h264`]))
}

async function renderAction(shot: Shot, place: Place, light: TimeOfDay, a: Action): Promise<ActionManifest> {
  const files = listFiles(place, light, a.id),
    boxes = await renderSegment(shot, place, files, a.seconds, a.draw),
    thumb = writeThumbnail(shot, place, light, a)
  return {
    ...getActionMetadata(a, place.moments, light),
    frames: boxes.length,
    files,
    thumb,
    ...getMotionInterval(boxes),
    boxes: selectBoxes(boxes, a.best),
  }
}

/** Renders the quiet segment: 40 s, or 20 s at dusk, because dusk lasts only two hours a day. */
async function renderQuietSegment(shot: Shot, place: Place, light: TimeOfDay): Promise<Segment> {
  const files = listFiles(place, light, 'quiet'),
    boxes = await renderSegment(shot, place, files, light === 'dusk' ? 20 : 40, place.quiet)
  return { frames: boxes.length, files }
}

function createShot(place: Place, light: TimeOfDay): Shot {
  const mesh = place.build(),
    open = getLightSetup(place, light, true),
    shot = new Shot(
      bakeStaticImage(mesh, place.camera, getLightSetup(place, light)!, place.center, place.radius),
      place.wind,
    )
  shot.skyShare = place.skyShare
  if (open) shot.openDoorImage = bakeStaticImage(mesh, place.camera, open, place.center, place.radius)
  return shot
}

async function renderTimeOfDay(
  place: Place,
  light: TimeOfDay,
  only: string | undefined,
  old: LightManifest | undefined,
): Promise<LightManifest> {
  const shot = createShot(place, light)
  const poster = `rendered/${place.id}/${light}-poster.jpg`
  writeFileSync(
    new URL(poster, scenesUrl),
    encodeImage(
      shot.render(0, (s) => place.always?.(s, 0)),
      640,
      'jpeg',
    ),
  )
  const quiet = only && only !== 'quiet' && old ? old.quiet : await renderQuietSegment(shot, place, light),
    actions: ActionManifest[] = []
  for (const a of listActions(place, light)) {
    const before = old?.actions.find((x) => x.id === a.id)
    actions.push(
      only && only !== a.id && before
        ? { ...before, ...getActionMetadata(a, place.moments, light), thumb: writeThumbnail(shot, place, light, a) }
        : { ...(before?.inset && { inset: before.inset }), ...(await renderAction(shot, place, light, a)) },
    )
    console.log(`${place.id} ${light} ${a.id}`)
  }
  return { poster, quiet, actions }
}

function writeContactSheet(shot: Shot, place: Place, light: TimeOfDay, path: string, only: string | undefined): void {
  const list = listActions(place, light).filter((a) => !only || a.id === only),
    cols = 4,
    framesPerAction = only ? 16 : 8,
    w = only ? 640 : 480,
    h = (w * 9) / 16
  const sheet = createCanvas(cols * w, (framesPerAction / cols) * h * list.length),
    g = sheet.getContext('2d'),
    big = createCanvas(FRAME_WIDTH, FRAME_HEIGHT)
  list.forEach((a, n) => {
    for (let k = 0; k < framesPerAction; k++) {
      const t = (a.seconds * (k + 0.5)) / framesPerAction
      big.getContext('2d').putImageData(
        new ImageData(
          shot.render(t, (s) => {
            place.always?.(s, t)
            a.draw(s, t)
          }),
          FRAME_WIDTH,
          FRAME_HEIGHT,
        ),
        0,
        0,
      )
      g.drawImage(big, (k % cols) * w, (Math.floor(k / cols) + (n * framesPerAction) / cols) * h, w, h)
    }
  })
  writeFileSync(path, sheet.toBuffer('image/png'))
}

/** Renders a scene at one time of day, then updates the manifest, so that an interrupted run keeps earlier results. */
async function renderScene(place: Place, light: TimeOfDay, view: string, only: string | undefined): Promise<void> {
  const file = new URL('manifest.json', scenesUrl),
    read = (): Manifest =>
      existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : { fps: FPS, gop: 15, scenes: {} }
  let part = read().scenes[place.id]?.lights[light]
  if (!part || view === 'all' || view === 'main') part = await renderTimeOfDay(place, light, only, part)
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
    lights = (opt('light') ? [opt('light')] : ['day', 'dusk', 'night']) as TimeOfDay[],
    sheet = opt('contact'),
    only = opt('only')
  for (const id of names.length ? names : SCENE_IDS) {
    const { place } = (await import(`./places/${id}/place.ts`)) as { place: Place }
    mkdirSync(new URL(`rendered/${id}/`, scenesUrl), { recursive: true })
    for (const light of lights) {
      if (!sheet) await renderScene(place, light, opt('view') ?? 'all', only)
      else {
        const shot = (opt('view') === 'inset' && createInsetShot(place, light)) || createShot(place, light)
        writeContactSheet(shot, place, light, sheet.replace(/(\.png)?$/, `-${light}.png`), only)
      }
    }
  }
}

await main()
