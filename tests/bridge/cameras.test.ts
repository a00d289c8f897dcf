import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  addCamera,
  forgetRemoved,
  parseRtspUrl,
  readCameras,
  removeCamera,
  rtspDeviceId,
} from '../../bridge/cameras/cameras.ts'
import { mask } from '../../bridge/log.ts'
import { inputList } from '../../bridge/sources/rtsp-process.ts'

let data = ''
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'cameras-'))
})
afterEach(() => rm(data, { recursive: true, force: true }))

test('a camera keeps its id when its password changes', async () => {
  const first = await addCamera(data, { url: 'rtsp://me:old@cam.example/main', name: 'Porch' })
  const second = await addCamera(data, { url: 'rtsp://me:new@cam.example:554/main' })
  expect(second).toEqual({ ...first, url: 'rtsp://me:new@cam.example:554/main' })
  expect((await readCameras(data)).cameras).toEqual([second])
})

test('two streams of one host are two cameras', () => {
  const ids = ['rtsp://cam.example/main', 'rtsp://cam.example/sub', 'rtsp://cam.example/main?channel=2'].map((url) =>
    rtspDeviceId(new URL(url)),
  )
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^RC[0-9A-F]{12}$/)
})

test('the list of cameras can be read by its owner only', async () => {
  await addCamera(data, { url: 'rtsp://me:secret@cam.example/main' })
  expect((await stat(join(data, 'cameras.json'))).mode & 0o777).toBe(0o600)
})

test('a removed camera is remembered until the provider has heard of it', async () => {
  const { device_id } = await addCamera(data, { url: 'rtsp://cam.example/main' })
  await removeCamera(data, 'rtsp://me:pw@cam.example/main')
  expect(await readCameras(data)).toEqual({ cameras: [], removed: [device_id] })
  await forgetRemoved(data, [device_id])
  expect(await readCameras(data)).toEqual({ cameras: [], removed: [] })
})

test.each(['http://cam.example/x', 'cam.example', 'rtsp://', 'rtsp:///path'])(
  'the address %s is refused with a sentence',
  (address) => {
    expect(() => parseRtspUrl(address)).toThrow(/looks like rtsp:/)
  },
)

test('a damaged list is left as it is and named in a sentence', async () => {
  await writeFile(join(data, 'cameras.json'), '{"cameras":')
  await expect(addCamera(data, { url: 'rtsp://cam.example/x' })).rejects.toThrow(/cameras\.json is damaged/)
  expect(await readFile(join(data, 'cameras.json'), 'utf8')).toBe('{"cameras":')
})

test('an owner may write the list by hand, with addresses alone', async () => {
  const cameras = [
    { url: 'rtsp://me:pw@cam.example/main', sub: 'rtsp://cam.example/sub' },
    { url: 'rtsp://two.example/' },
  ]
  await writeFile(join(data, 'cameras.json'), JSON.stringify({ cameras }))
  const { cameras: read } = await readCameras(data)
  expect(read).toEqual([
    { ...cameras[0], device_id: rtspDeviceId(new URL('rtsp://cam.example/main')), name: 'Camera at cam.example' },
    { ...cameras[1], device_id: rtspDeviceId(new URL('rtsp://two.example/')), name: 'Camera at two.example' },
  ])
})

test('a wrong entry of the list is named, without its password', async () => {
  await writeFile(join(data, 'cameras.json'), JSON.stringify({ cameras: [{ url: 'http://me:hidden@cam.example/' }] }))
  await expect(readCameras(data)).rejects.toThrow(/cameras\.json, camera 1: A camera address looks like/)
  await expect(readCameras(data)).rejects.not.toThrow(/hidden/)
  await writeFile(join(data, 'cameras.json'), JSON.stringify({ cameras: [{ url: 'rtsp://a/', h265: 'both' }] }))
  await expect(readCameras(data)).rejects.toThrow(/is damaged at cameras\.0\.h265/)
})

test('removing an unknown camera says so', async () => {
  await expect(removeCamera(data, 'Nowhere')).rejects.toThrow('There is no such camera')
})

test('a line of the log never holds user name or password, even with @ in it', () => {
  expect(mask("cannot open rtsp://me:p@ss/w'@cam.example/main now")).toBe('cannot open rtsp://***@cam.example/main now')
})

test('a quote in a password does not end the name of the input', () => {
  expect(inputList({ address: "rtsp://me:a'b@cam.example/x", options: true, patient: false, deaf: false })).toContain(
    "file 'rtsp://me:a'\\''b@cam.example/x'\n",
  )
})
