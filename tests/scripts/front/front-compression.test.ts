import type { RequestListener } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { chooseEncoding } from '../../../scripts/front/encoding.ts'
import { FileCache } from '../../../scripts/front/file-cache.ts'
import { openFront, PROTOCOLS, type Protocol, type TestAnswer, type TestFront } from '../../support/front.ts'

const TEXT = 'const porch = "light"\n'.repeat(200)
const ANY = { 'accept-encoding': 'gzip, deflate, br, zstd' }

let front: TestFront
afterEach(() => front.close())

type Headers = Record<string, string>
const start = async (headers: Headers, protocol: Protocol = 'HTTP/1.1', body = TEXT, status = 200) => {
  const respond: RequestListener = (request, response) => {
    if (headers['etag'] !== undefined && request.headers['if-none-match']?.includes(headers['etag']))
      return void response.writeHead(304, headers).end()
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
  }
  front = await openFront(protocol, respond)
}

const decode = ({ headers, body }: TestAnswer): string => {
  const encoding = headers['content-encoding']
  return String(encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body)
}

const SCRIPT = {
  'content-type': 'text/javascript',
  etag: '"v1"',
  'cache-control': 'public, max-age=31536000, immutable',
}
const PAGE = { 'content-type': 'text/html; charset=utf-8', etag: '"v1"', 'cache-control': 'public, max-age=0' }
const ANSWER = { 'content-type': 'application/json', 'cache-control': 'no-store' }

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test.each([
    ['a script', SCRIPT],
    ['a document', PAGE],
    ['a response', ANSWER],
  ])('%s is compressed', async (_, headers) => {
    await start(headers, protocol)
    for (const encoding of ['br', 'gzip']) {
      const answer = await front.send({ path: '/a', headers: { 'accept-encoding': encoding } })
      expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([encoding, 'Accept-Encoding'])
      expect(answer.body.length).toBeLessThan(400)
      expect(decode(answer)).toBe(TEXT)
    }
    const plain = await front.send({ path: '/a' })
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding'])
    expect(decode(plain)).toBe(TEXT)
    const head = await front.send({ path: '/a', method: 'HEAD', headers: ANY })
    expect([head.headers['content-encoding'], head.body.length]).toEqual(['br', 0])
  })
})

test('an immutable file is read from the Worker once for each encoding', async () => {
  await start(SCRIPT)
  for (let nth = 0; nth < 3; nth++) expect(decode(await front.send({ path: '/_astro/a.js', headers: ANY }))).toBe(TEXT)
  expect(front.getCount()).toBe(1)
  await front.send({ path: '/_astro/a.js', headers: { range: 'bytes=0-3', ...ANY } })
  await front.send({ path: '/_astro/a.js', headers: { 'if-none-match': '"v0"', ...ANY } })
  expect(front.getCount()).toBe(3)
  // A query could name any number of URLs, so such files are not stored.
  for (let nth = 0; nth < 2; nth++) await front.send({ path: '/_astro/a.js?1', headers: ANY })
  expect(front.getCount()).toBe(5)
})

test('a document is compressed once for each version, and checked with the Worker each time', async () => {
  const headers = { ...PAGE }
  const bodies = { '"v1"': TEXT, '"v2"': TEXT.replaceAll('porch', 'house') }
  const respond: RequestListener = (_, response) =>
    void response.writeHead(200, headers).end(bodies[headers.etag as keyof typeof bodies])
  front = await openFront('HTTP/1.1', respond)
  const read = async () => decode(await front.send({ path: '/live', headers: ANY }))
  expect([await read(), await read(), front.getCount()]).toEqual([TEXT, TEXT, 2])
  headers.etag = '"v2"'
  expect(await read()).toBe(bodies['"v2"'])
})

test.each(['"v1"', 'W/"v1"'])('a copy with the entity tag %s is confirmed with 304 and the same tag', async (tag) => {
  await start(PAGE)
  const compressed = await front.send({ path: '/live', headers: ANY })
  expect(compressed.headers.etag).toBe('W/"v1"')
  const { status, headers } = await front.send({ path: '/live', headers: { ...ANY, 'if-none-match': tag } })
  expect([status, headers.etag, headers.vary]).toEqual([304, tag, 'Accept-Encoding'])
})

test.each<[string, Headers, string?, number?]>([
  ['a short response', ANSWER, '{}'],
  ['an image', { 'content-type': 'image/jpeg' }],
  ['a video', { 'content-type': 'video/mp4' }],
  ['an event stream', { 'content-type': 'text/event-stream' }],
  ['a response that a proxy must not change', { ...ANSWER, 'cache-control': 'no-store, no-transform' }],
  ['a response that sets a cookie', { ...ANSWER, 'set-cookie': 'session=1' }],
  ['a part', { ...ANSWER, 'content-range': 'bytes 0-9/10' }, TEXT, 206],
])('%s is not compressed', async (_, headers, body = TEXT, status = 200) => {
  await start(headers, 'HTTP/1.1', body, status)
  const answer = await front.send({ path: '/a', headers: ANY })
  expect([answer.headers['content-encoding'], decode(answer)]).toEqual([undefined, body])
})

test('a response that is already compressed is passed on unchanged', async () => {
  await start({ ...ANSWER, 'content-encoding': 'zstd' })
  const { headers, body } = await front.send({ path: '/a', headers: ANY })
  expect([headers['content-encoding'], body.toString()]).toEqual(['zstd', TEXT])
})

test.each(['/api/auth/me', '/api/auth/authorize?x=1', '/api/%61uth/me', '/api/auth%2Fme', '/api/auth/%'])(
  '%s, which may contain tokens, is not compressed',
  async (path) => {
    await start(ANSWER)
    expect((await front.send({ path, headers: ANY })).headers['content-encoding']).toBeUndefined()
  },
)

test('responses of a Worker whose pages contain secrets are not compressed', async () => {
  front = await openFront('HTTP/1.1', (_, response) => void response.writeHead(200, PAGE).end(TEXT), {
    compresses: false,
  })
  const { headers } = await front.send({ path: '/oauth/sign-in', headers: ANY })
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined])
})

describe('chosen encoding', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['BR;Q=1', 'br'],
    ['gzip;q=0, br;q=0', null],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['identity, br;q=0.5', null],
    ['deflate, zstd', null],
    ['br;q=x', null],
    ['', null],
  ])('of %j is %j', async (header, encoding) => {
    await start(ANSWER)
    expect(chooseEncoding(header)).toBe(encoding)
  })
})

test('the memory for files has a limit, and the file that was unused for longest leaves', async () => {
  await start(ANSWER)
  const cache = new FileCache(250)
  const file = { etag: '"a"', headers: { 'cache-control': 'immutable' }, body: Buffer.alloc(100) }
  cache.add('/1', 'br', file)
  cache.add('/2', 'br', file)
  cache.findImmutable('/1', 'br')
  cache.add('/3', 'br', file)
  expect(['/1', '/2', '/3'].map((url) => cache.findImmutable(url, 'br') !== null)).toEqual([true, false, true])
})
