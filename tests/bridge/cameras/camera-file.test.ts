import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addCamera, clearRemovedIds, readCameras, removeStoredCamera } from '../../../bridge/cameras/camera-file.ts'
import { parseRtspUrl } from '../../../bridge/sources/rtsp-address.ts'
import { maskCredentials } from '../../../bridge/runtime/log.ts'
import { RtspLogin } from '../../../bridge/sources/rtsp-login.ts'

let data = ''
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'cameras-'))
})
afterEach(() => rm(data, { recursive: true, force: true }))

function authorizeAfterChallenge(url: URL, challenge: string): string | undefined {
  const login = new RtspLogin(url)
  login.storeChallenge({ start: 'RTSP/1.0 401 Unauthorized', headers: `WWW-Authenticate: ${challenge}\r\n`, body: '' })
  return login.createAuthorization('DESCRIBE', 'rtsp://cam.example/x')
}

test('a camera keeps its id when its password changes', async () => {
  const first = await addCamera(data, { url: 'rtsp://me:old@cam.example/main', name: 'Porch' })
  const second = await addCamera(data, { url: 'rtsp://me:new@cam.example:554/main' })
  expect(second).toEqual({ ...first, url: 'rtsp://me:new@cam.example:554/main' })
  expect((await readCameras(data)).cameras).toEqual([second])
})

test('each stream of a host is a separate camera', async () => {
  const urls = ['rtsp://cam.example/main', 'rtsp://cam.example/sub', 'rtsp://cam.example/main?channel=2']
  const ids: string[] = []
  for (const url of urls) ids.push((await addCamera(data, { url })).device_id)
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^RC[0-9A-F]{20}$/)
})

test('only the file owner can read the camera list', async () => {
  await addCamera(data, { url: 'rtsp://me:secret@cam.example/main' })
  expect((await stat(join(data, 'cameras.json'))).mode & 0o777).toBe(0o600)
})

test('the camera list keeps the id of a removed camera until the provider is notified', async () => {
  const { device_id } = await addCamera(data, { url: 'rtsp://cam.example/main' })
  await removeStoredCamera(data, 'rtsp://me:pw@cam.example/main')
  expect(await readCameras(data)).toEqual({ cameras: [], removed: [device_id] })
  await clearRemovedIds(data, [device_id])
  expect(await readCameras(data)).toEqual({ cameras: [], removed: [] })
})

test.each(['http://cam.example/x', 'cam.example', 'rtsp://', 'rtsp:///path'])(
  'the address %s is rejected with an explanation',
  (address) => {
    expect(() => parseRtspUrl(address)).toThrow(/isn't a camera address/)
  },
)

test('a damaged camera list is left unchanged, and the error names it', async () => {
  await writeFile(join(data, 'cameras.json'), '{"cameras":')
  await expect(addCamera(data, { url: 'rtsp://cam.example/x' })).rejects.toThrow(/cameras\.json is damaged/)
  expect(await readFile(join(data, 'cameras.json'), 'utf8')).toBe('{"cameras":')
})

test('a handwritten camera list may contain only addresses', async () => {
  const cameras = [
    { url: 'rtsp://me:pw@cam.example/main', sub: 'rtsp://cam.example/sub' },
    { url: 'rtsp://two.example/' },
  ]
  await writeFile(join(data, 'cameras.json'), JSON.stringify({ cameras }))
  const { cameras: read } = await readCameras(data)
  expect(read).toEqual([
    { ...cameras[0], device_id: read[0]?.device_id, name: 'Camera at cam.example' },
    { ...cameras[1], device_id: read[1]?.device_id, name: 'Camera at two.example' },
  ])
  expect(new Set(read.map(({ device_id }) => device_id)).size).toBe(2)
  expect((await readCameras(data)).cameras).toEqual(read)
})

test('the error for an invalid list entry names the entry without its password', async () => {
  await writeFile(join(data, 'cameras.json'), JSON.stringify({ cameras: [{ url: 'http://me:hidden@cam.example/' }] }))
  await expect(readCameras(data)).rejects.toThrow(/cameras\.json, camera 1: .*rtsp:/)
  await expect(readCameras(data)).rejects.not.toThrow(/hidden/)
  await writeFile(join(data, 'cameras.json'), JSON.stringify({ cameras: [{ url: 'rtsp://a/', h265: 'both' }] }))
  await expect(readCameras(data)).rejects.toThrow(/is damaged at cameras\.0\.h265/)
})

test('removing an unknown camera fails with an error that says so', async () => {
  await expect(removeStoredCamera(data, 'Nowhere')).rejects.toThrow(/No camera has this address/)
})

test('a log line never contains a username or password, even one with @ in it', () => {
  expect(maskCredentials("cannot open rtsp://me:p@ss/w'@cam.example/main now")).toBe(
    'cannot open rtsp://***@cam.example/main now',
  )
})

test.each([
  ['rtsp://me:p/w#1?x@10.0.0.9:554/s', 'p/w#1?x', '10.0.0.9', '/s'],
  ['rtsp://me:p/w@cam.example', 'p/w', 'cam.example', ''],
  ['rtsp://me:?@[fe80::1]/s', '?', '[fe80::1]', '/s'],
  ['rtsp://me:p@w:d@cam/s', 'p@w:d', 'cam', '/s'],
  ['rtsp://10.0.0.9/user=a&password=x@10.0.0.8/', '', '10.0.0.9', '/user=a&password=x@10.0.0.8/'],
  ['rtsp://nas:8554/cam@2', '', 'nas', '/cam@2'],
])('the address %s is parsed as intended', (address, password, host, path) => {
  const url = parseRtspUrl(address)
  expect([decodeURIComponent(url.password), url.hostname, url.pathname]).toEqual([password, host, path])
  const basic = /^Basic (.*)$/.exec(authorizeAfterChallenge(url, 'Basic realm="camera"') ?? '')?.[1]
  const sent = basic === undefined ? '' : Buffer.from(basic, 'base64').toString()
  expect(sent).toBe(password && `${url.username}:${password}`)
})

test.each(['rtsp://admin:12/34@10.0.0.9/s', 'rtsp://admin:12#34@cam/s', 'rtsp://admin:p@s/w0rd@10.0.0.9/s'])(
  'the ambiguous address %s is rejected with a hint on how to write it, without its password',
  async (url) => {
    const attempt = addCamera(data, { url })
    await expect(attempt).rejects.toThrow(/%2F.* %23 .*%3F.* %40/)
    expect((await readCameras(data)).cameras).toEqual([])
  },
)

test('a password in the query or path of an address is masked, and nothing else is', () => {
  const masked = [
    'rtsp://cam/live?user=a&password=***&channel=1 is off',
    'rtsp://cam/user=a_password=***_channel=1_stream=0.sdp',
    'rtsp://cam/s?usr=a&PWD=***',
    'rtsp://***@cam/s?psw=*** rtsp://cam/s?bypass=1&pass=***',
  ]
  const secrets = ['x/y#z', 'tlJw_po6', 'a%20b', 'q.1']
  masked.forEach((line, i) => {
    const address = line.replaceAll('=***', `=${secrets[i]}`).replace('***@', 'me:pw@')
    expect(maskCredentials(address)).toBe(line)
  })
})

test('a quote in a username does not end the username field of a digest', () => {
  const header = authorizeAfterChallenge(new URL('rtsp://a%22b:c@cam.example/x'), 'Digest realm="camera", nonce="1"')
  expect(header).toContain('username="a\\"b", realm="camera"')
})
