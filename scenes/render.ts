import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createCanvas, ImageData } from '@napi-rs/canvas'
import { FRAME_HEIGHT, FRAME_WIDTH } from './kit/camera.ts'
import { createInsetShot, renderInset } from './inset.ts'
import { FPS } from './kit/encode.ts'
import { listActions, getLightSetup, type Action, type Scene } from './kit/place.ts'
import { Shot } from './kit/shot.ts'
import { bakeStaticImage } from './kit/stage.ts'
import type { ActionManifest, TimeOfDay, LightManifest, Manifest, Segment } from './manifest.ts'
import { renderSound } from './sound.ts'
import { getBasePath, selectBoxes, getMotionInterval, renderSegment } from './segment.ts'

const scenesUrl = new URL('./', import.meta.url)
const SCENE_IDS = ['driveway', 'front-door', 'backyard', 'living-room', 'street', 'garage']

function encodeImage(frame: Uint8ClampedArray, w: number, type: 'jpeg' | 'png'): Buffer {
  const fullCanvas = createCanvas(FRAME_WIDTH, FRAME_HEIGHT),
    h = (w * FRAME_HEIGHT) / FRAME_WIDTH,
    scaledCanvas = createCanvas(w, h),
    g = scaledCanvas.getContext('2d')
  fullCanvas.getContext('2d').putImageData(new ImageData(frame, FRAME_WIDTH, FRAME_HEIGHT), 0, 0)
  g.imageSmoothingQuality = 'high'
  g.drawImage(fullCanvas, 0, 0, w, h)
  return type === 'png' ? scaledCanvas.toBuffer('image/png') : scaledCanvas.toBuffer('image/jpeg', 82)
}

function writeThumbnail(shot: Shot, scene: Scene, timeOfDay: TimeOfDay, a: Action): string {
  const thumb = `rendered/${scene.id}/${timeOfDay}-${a.id}.jpg`
  writeFileSync(
    new URL(thumb, scenesUrl),
    encodeImage(
      shot.render(a.best, (s) => {
        scene.always?.(s, a.best)
        a.draw(s, a.best)
      }),
      320,
      'jpeg',
    ),
  )
  return thumb
}

const getActionMetadata = (
  a: Action,
  moments: Scene['moments'],
  timeOfDay: TimeOfDay,
): Pick<ActionManifest, 'id' | 'label' | 'summary' | 'best' | 'tags' | 'people' | 'sounds' | 'moments'> => ({
  id: a.id,
  label: a.label,
  summary: a.summary,
  best: a.best,
  tags: a.tags,
  people: a.people ?? [],
  sounds: a.sounds ?? [],
  moments: moments[`${timeOfDay}/${a.id}`] ?? [],
})

function listFiles(scene: Scene, timeOfDay: TimeOfDay, id: string): Record<string, string> {
  return Object.fromEntries(scene.renditions.map((r) => [r, `${getBasePath(scene, timeOfDay, id)}.${r}.h264`]))
}

async function renderAction(shot: Shot, scene: Scene, timeOfDay: TimeOfDay, a: Action): Promise<ActionManifest> {
  const files = listFiles(scene, timeOfDay, a.id),
    boxes = await renderSegment(shot, scene, files, a.seconds, a.draw),
    thumb = writeThumbnail(shot, scene, timeOfDay, a)
  return {
    ...getActionMetadata(a, scene.moments, timeOfDay),
    frames: boxes.length,
    files,
    thumb,
    ...getMotionInterval(boxes),
    boxes: selectBoxes(boxes, a.best),
  }
}

/** Renders the quiet segment: 40 s, or 20 s at dusk, because dusk lasts only two hours a day. */
async function renderQuietSegment(shot: Shot, scene: Scene, timeOfDay: TimeOfDay): Promise<Segment> {
  const files = listFiles(scene, timeOfDay, 'quiet'),
    boxes = await renderSegment(shot, scene, files, timeOfDay === 'dusk' ? 20 : 40, scene.quiet)
  return { frames: boxes.length, files }
}

function createShot(scene: Scene, timeOfDay: TimeOfDay): Shot {
  const mesh = scene.build(),
    openDoorLight = getLightSetup(scene, timeOfDay, true),
    shot = new Shot(
      bakeStaticImage(mesh, scene.camera, getLightSetup(scene, timeOfDay)!, scene.center, scene.radius),
      scene.wind,
    )
  shot.skyShare = scene.skyShare
  if (openDoorLight) shot.openDoorImage = bakeStaticImage(mesh, scene.camera, openDoorLight, scene.center, scene.radius)
  return shot
}

async function renderTimeOfDay(
  scene: Scene,
  timeOfDay: TimeOfDay,
  onlySegmentId: string | undefined,
  oldManifest: LightManifest | undefined,
): Promise<LightManifest> {
  const shot = createShot(scene, timeOfDay)
  const poster = `rendered/${scene.id}/${timeOfDay}-poster.jpg`
  writeFileSync(
    new URL(poster, scenesUrl),
    encodeImage(
      shot.render(0, (s) => scene.always?.(s, 0)),
      640,
      'jpeg',
    ),
  )
  const quiet =
      onlySegmentId && onlySegmentId !== 'quiet' && oldManifest
        ? oldManifest.quiet
        : await renderQuietSegment(shot, scene, timeOfDay),
    actions: ActionManifest[] = []
  for (const a of listActions(scene, timeOfDay)) {
    const oldAction = oldManifest?.actions.find((x) => x.id === a.id)
    actions.push(
      onlySegmentId && onlySegmentId !== a.id && oldAction
        ? {
            ...oldAction,
            ...getActionMetadata(a, scene.moments, timeOfDay),
            thumb: writeThumbnail(shot, scene, timeOfDay, a),
          }
        : { ...(oldAction?.inset && { inset: oldAction.inset }), ...(await renderAction(shot, scene, timeOfDay, a)) },
    )
    console.log(`${scene.id} ${timeOfDay} ${a.id}`)
  }
  return { poster, quiet, actions }
}

function writeContactSheet(
  shot: Shot,
  scene: Scene,
  timeOfDay: TimeOfDay,
  path: string,
  onlySegmentId: string | undefined,
): void {
  const list = listActions(scene, timeOfDay).filter((a) => !onlySegmentId || a.id === onlySegmentId),
    cols = 4,
    framesPerAction = onlySegmentId ? 16 : 8,
    w = onlySegmentId ? 640 : 480,
    h = (w * 9) / 16
  const sheet = createCanvas(cols * w, (framesPerAction / cols) * h * list.length),
    g = sheet.getContext('2d'),
    fullCanvas = createCanvas(FRAME_WIDTH, FRAME_HEIGHT)
  list.forEach((a, n) => {
    for (let k = 0; k < framesPerAction; k++) {
      const t = (a.seconds * (k + 0.5)) / framesPerAction
      fullCanvas.getContext('2d').putImageData(
        new ImageData(
          shot.render(t, (s) => {
            scene.always?.(s, t)
            a.draw(s, t)
          }),
          FRAME_WIDTH,
          FRAME_HEIGHT,
        ),
        0,
        0,
      )
      g.drawImage(fullCanvas, (k % cols) * w, (Math.floor(k / cols) + (n * framesPerAction) / cols) * h, w, h)
    }
  })
  writeFileSync(path, sheet.toBuffer('image/png'))
}

/** Renders a scene at one time of day, then updates the manifest, so that an interrupted run keeps earlier results. */
async function renderScene(
  scene: Scene,
  timeOfDay: TimeOfDay,
  view: string,
  onlySegmentId: string | undefined,
): Promise<void> {
  const file = new URL('manifest.json', scenesUrl),
    read = (): Manifest =>
      existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : { fps: FPS, gop: 15, scenes: {} }
  let lightManifest = read().scenes[scene.id]?.lights[timeOfDay]
  if (!lightManifest || view === 'all' || view === 'main')
    lightManifest = await renderTimeOfDay(scene, timeOfDay, onlySegmentId, lightManifest)
  if (view === 'all' || view === 'inset')
    lightManifest = await renderInset(scene, timeOfDay, onlySegmentId, lightManifest)
  if (view === 'all' || view === 'sound') lightManifest = await renderSound(scene, timeOfDay, lightManifest)
  const m = read(),
    empty = { poster: '', quiet: { frames: 0, files: {} }, actions: [] }
  m.scenes[scene.id] = {
    name: scene.name,
    renditions: scene.renditions,
    outdoor: scene.outdoor,
    lights: {
      ...(m.scenes[scene.id]?.lights ?? { day: empty, dusk: empty, night: empty }),
      [timeOfDay]: lightManifest,
    },
  }
  writeFileSync(file, `${JSON.stringify(m)}\n`)
}

async function main(): Promise<void> {
  const args = process.argv.slice(2),
    getOption = (k: string): string | undefined => args.find((a) => a.startsWith(`--${k}=`))?.split('=')[1]
  const names = args.filter((a) => !a.startsWith('--')),
    lights = (getOption('light') ? [getOption('light')] : ['day', 'dusk', 'night']) as TimeOfDay[],
    sheet = getOption('contact'),
    onlySegmentId = getOption('only')
  for (const id of names.length ? names : SCENE_IDS) {
    const { scene } = (await import(`./places/${id}/place.ts`)) as { scene: Scene }
    mkdirSync(new URL(`rendered/${id}/`, scenesUrl), { recursive: true })
    for (const light of lights) {
      if (!sheet) await renderScene(scene, light, getOption('view') ?? 'all', onlySegmentId)
      else {
        const shot = (getOption('view') === 'inset' && createInsetShot(scene, light)) || createShot(scene, light)
        writeContactSheet(shot, scene, light, sheet.replace(/(\.png)?$/, `-${light}.png`), onlySegmentId)
      }
    }
  }
}

await main()
