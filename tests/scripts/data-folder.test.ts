import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readCameras } from '../../bridge/cameras/cameras.ts'
import { Choices } from '../../bridge/cameras/choices.ts'
import { parseOptions, type StartOptions } from '../../scripts/lib/args.ts'
import { changeCameras } from '../../scripts/lib/cameras.ts'
import { emptyFolder } from '../../scripts/lib/data-folder.ts'
import { Stop } from '../../scripts/lib/stop.ts'

const root = new URL('../..', import.meta.url).pathname
let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'data-folder-'))
})
afterEach(() => rmSync(data, { recursive: true }))

/** What the bridge would do with the camera after the next start. */
async function isOn(id: string): Promise<boolean> {
  const choices = new Choices(data)
  await choices.open()
  return choices.of(id).power
}

test('a camera that was switched off is on after a start with nothing', async () => {
  const choices = new Choices(data)
  await choices.set('RC1', { power: false })
  expect(await isOn('RC1')).toBe(false)
  emptyFolder(data)
  expect(await isOn('RC1')).toBe(true)
  expect(readdirSync(data).sort()).toEqual(['logs', 'state'])
})

test('cameras of options and of a list are added together, each with its sub-stream and name; a wrong one is named', async () => {
  const say = vi.fn()
  const add = (...args: string[]) => changeCameras(root, data, parseOptions(args) as StartOptions, say)
  add('--camera', 'rtsp://u:p@127.0.0.1:9/1', '--camera', 'rtsp://127.0.0.1:9/2')
  const { cameras } = await readCameras(data)
  expect(cameras.map(({ url, name }) => [url, name])).toEqual([
    ['rtsp://u:p@127.0.0.1:9/1', 'Camera at 127.0.0.1'],
    ['rtsp://127.0.0.1:9/2', 'Camera at 127.0.0.1'],
  ])
  expect(say.mock.calls.flat().join('\n').split('\n')).toHaveLength(2)
  const wrong = () => add('--camera', 'http://u:secret@127.0.0.1:9/3')
  expect(wrong).toThrow(Stop)
  expect(wrong).toThrow(/^A camera address looks like rtsp/)
})
