import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { app } from '../../../functions/app.ts'
import { FORMS, NAVIGATIONS } from '../../../functions/lib/security/csrf.ts'
import { openEdge, signIn, type EdgeStage } from '../../support/edge.ts'
import type { Visitor } from '../../support/visitor.ts'

let edge: EdgeStage
let visitor: Visitor

beforeAll(async () => {
  edge = await openEdge()
  visitor = edge.visitor()
  await signIn(visitor)
})
afterAll(() => edge.close())

const METHODS = ['GET', 'POST', 'PUT', 'DELETE']
const isMiddleware = (path: string) => path === '/*' || path === '/api/*'
const routes = [
  ...new Set(
    app.routes
      .filter(({ path }) => path.startsWith('/api/') && !isMiddleware(path))
      .flatMap(({ method, path }) => {
        const example = path.replace(':group', 'new-device').replace('/*', '/app/v4/home')
        return (method === 'ALL' ? METHODS : [method]).map((httpMethod) => `${httpMethod} ${example}`)
      }),
  ),
].map((line) => line.split(' ') as [string, string])
const reads = routes.filter(([method]) => method === 'GET')
const writes = routes.filter(([method]) => method !== 'GET')

async function expectRefused(answer: Response) {
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ code: 'csrf', msg: expect.any(String) })
}

/** Sends a request as the portal's own page would, except for `change`. */
function write(method: string, path: string, change: Record<string, string | undefined>, body = '{}') {
  const own: Record<string, string | undefined> = {
    'content-type': 'application/json',
    origin: edge.portal,
    'sec-fetch-site': 'same-origin',
    'x-xsrf-token': visitor.cookie('XSRF-TOKEN'),
    ...change,
  }
  const headers = Object.fromEntries(
    Object.entries(own).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  return visitor.fetch(path, { method, body, headers })
}

test('the app has the routes that this file expects', () => {
  expect(routes).toContainEqual(['POST', '/api/auth/logout'])
  expect(routes).toContainEqual(['PUT', '/api/p/new-device/app/v4/home'])
  expect(NAVIGATIONS.every((path) => reads.some(([, readPath]) => readPath === path))).toBe(true)
})

describe.each(reads)('%s %s', (_, path) => {
  test('rejects a fetch from another site', async () => {
    await expectRefused(
      await visitor.fetch(path, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' } }),
    )
    await expectRefused(
      await visitor.fetch(path, { headers: { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' } }),
    )
  })
  test('rejects a foreign origin', async () => {
    await expectRefused(await visitor.fetch(path, { headers: { origin: 'https://evil.test' } }))
    await expectRefused(await visitor.fetch(path, { headers: { origin: 'null' } }))
  })
  test('accepts a navigation from another site only if the table lists it', async () => {
    const answer = await visitor.navigate(path)
    expect(answer.status).toBe(NAVIGATIONS.includes(path) ? 302 : 403)
  })
})

describe.each(writes)('%s %s', (method, path) => {
  test('rejects a request from another site', async () => {
    await expectRefused(await write(method, path, { 'sec-fetch-site': 'cross-site' }))
    await expectRefused(await write(method, path, { 'sec-fetch-site': 'none' }))
  })
  test('rejects a foreign or missing origin', async () => {
    await expectRefused(await write(method, path, { origin: 'https://evil.test' }))
    await expectRefused(await write(method, path, { origin: undefined }))
  })
  test('rejects a missing, wrong or unpaired XSRF header', async () => {
    await expectRefused(await write(method, path, { 'x-xsrf-token': undefined }))
    await expectRefused(await write(method, path, { 'x-xsrf-token': 'A'.repeat(22) }))
    const bare = edge.visitor()
    const headers = { 'content-type': 'application/json', origin: edge.portal, 'x-xsrf-token': '' }
    await expectRefused(await bare.fetch(path, { method, body: '{}', headers }))
  })
  test('rejects plain text, and a form that the browser does not mark as same-origin', async () => {
    await expectRefused(await write(method, path, { 'content-type': 'text/plain' }))
    await expectRefused(await write(method, path, { 'content-type': 'multipart/form-data; boundary=x' }))
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-xsrf-token': undefined }
    await expectRefused(await write(method, path, { ...form, 'sec-fetch-site': undefined }, 'a=b'))
  })
  test('accepts a form of its own pages only on routes that pages without script need', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-xsrf-token': undefined }
    const answer = await write(method, path, form, 'state=')
    expect(answer.status).toBe(FORMS.includes(path) ? 303 : 403)
  })
})

test('after all these rejections, the visitor is still signed in and no token was refreshed', async () => {
  expect((await visitor.get('/api/auth/me')).status).toBe(200)
  const refreshes = edge.proxy.seen.filter(({ body }) => body.includes('grant_type=refresh_token'))
  expect(refreshes).toEqual([])
})
