import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readCameras } from '../../../bridge/cameras/camera-file.ts'
import { OwnerSettingsStore } from '../../../bridge/cameras/owner-settings.ts'
import { checkFiles } from '../../../bridge/data-files.ts'
import { parseOptions, type StartOptions } from '../../../scripts/lib/args.ts'
import { changeCameras } from '../../../scripts/lib/cameras.ts'
import { emptyFolder } from '../../../scripts/lib/data-folder.ts'
import { anyFreePort } from '../../../scripts/lib/ports.ts'
import { loadBridgeKey } from '../../../scripts/lib/provider-admin.ts'
import { Stop } from '../../../scripts/lib/stop.ts'
import { launch } from '../../support/porchlight.ts'

const root = new URL('../../..', import.meta.url).pathname
let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'data-folder-'))
})
afterEach(() => rmSync(data, { recursive: true }))

/** Returns true if the camera is on after the bridge's next start. */
async function isOn(id: string): Promise<boolean> {
  const choices = new OwnerSettingsStore(data)
  await choices.open()
  return choices.of(id).power
}

test('a switched-off camera is on after a start with an empty data folder', async () => {
  const choices = new OwnerSettingsStore(data)
  await choices.set('RC1', { power: false })
  expect(await isOn('RC1')).toBe(false)
  emptyFolder(data)
  expect(await isOn('RC1')).toBe(true)
  expect(readdirSync(data).sort()).toEqual(['logs', 'state'])
})

test('cameras from options and a list are added together, each with its sub-stream and name; an invalid one is reported', async () => {
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

describe('damaged bridge file', () => {
  const listFiles = () => readdirSync(data, { recursive: true, encoding: 'utf8' }).sort()

  test.each([
    ['bridge.key', '{}', /is damaged; delete it and run "npm start"/],
    ['cameras.json', '{"cameras":[{"url":', /is damaged; correct it, or delete it/],
    ['cameras.json', '{"cameras":[{"url":"http://a"}]}', /camera 1: A camera address looks like rtsp/],
    ['cameras.json', `{"cameras":[]}${' '.repeat(5_000_000)}`, /has 5000014 bytes/],
    ['cameras.secret', 'short', /is damaged\. Restore it from a backup/],
    ['sealing.key', '{"kty":"EC"}', /is damaged\. Delete it and start again/],
    ['queue', 'a file', /cannot be read as a folder.*Move it away/],
  ])('%s is reported with a message that says what to do', async (name, content, sentence) => {
    loadBridgeKey(data)
    await expect(checkFiles(data)).resolves.toBeUndefined()
    writeFileSync(join(data, name), content)
    const before = listFiles()
    await expect(checkFiles(data)).rejects.toThrow(sentence)
    await expect(checkFiles(data)).rejects.toThrow(join(data, name))
    expect(listFiles()).toEqual(before)
  })

  test('stops the startup before anything runs', async () => {
    loadBridgeKey(data)
    writeFileSync(join(data, 'cameras.json'), '{"cameras":[{"url":')
    const { child, lines } = launch(data, await anyFreePort())
    expect(await once(child, 'close')).toEqual([1, null])
    expect(lines).toEqual([
      `${join(data, 'cameras.json')} is damaged; correct it, or delete it and add the cameras again.`,
    ])
    expect(readdirSync(join(data, 'logs'))).toEqual([])
  })

  test.each(['choices.json', 'pasts.json'])('%s does not stop the bridge, which writes a new one', async (name) => {
    loadBridgeKey(data)
    writeFileSync(join(data, name), '{"a":')
    await expect(checkFiles(data)).resolves.toBeUndefined()
    await new OwnerSettingsStore(data).open()
  })
})
