import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { app } from '../../../functions/app.ts'
import { PLAIN_FORM_ROUTES, CROSS_SITE_ROUTES } from '../../../functions/lib/security/csrf.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import type { Visitor } from '../../support/visitor.ts'

let edge: EdgeDeployment
let visitor: Visitor

beforeAll(async () => {
  edge = await openEdge()
  visitor = edge.visitor()
  await signInThroughEdge(visitor)
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
const readRoutes = routes.filter(([method]) => method === 'GET')
const writeRoutes = routes.filter(([method]) => method !== 'GET')

async function expectCsrfError(answer: Response) {
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ code: 'csrf', msg: expect.any(String) })
}

/** Sends a write as a portal page does, with the header changes in `change`. The value undefined removes a header. */
function sendWrite(method: string, path: string, change: Record<string, string | undefined>, body = '{}') {
  const pageHeaders: Record<string, string | undefined> = {
    'content-type': 'application/json',
    origin: edge.portalOrigin,
    'sec-fetch-site': 'same-origin',
    'x-xsrf-token': visitor.getCookie('XSRF-TOKEN'),
    ...change,
  }
  const headers = Object.fromEntries(
    Object.entries(pageHeaders).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  return visitor.fetch(path, { method, body, headers })
}

test('the app has the routes that this file expects', () => {
  expect(routes).toContainEqual(['POST', '/api/auth/logout'])
  expect(routes).toContainEqual(['PUT', '/api/p/new-device/app/v4/home'])
  expect(CROSS_SITE_ROUTES.every((path) => readRoutes.some(([, readPath]) => readPath === path))).toBe(true)
})

describe.each(readRoutes)('%s %s', (_, path) => {
  test('rejects a fetch from another site', async () => {
    await expectCsrfError(
      await visitor.fetch(path, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' } }),
    )
    await expectCsrfError(
      await visitor.fetch(path, { headers: { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' } }),
    )
  })
  test('rejects a foreign origin', async () => {
    await expectCsrfError(await visitor.fetch(path, { headers: { origin: 'https://evil.test' } }))
    await expectCsrfError(await visitor.fetch(path, { headers: { origin: 'null' } }))
  })
  test('accepts a navigation from another site only if the table lists it', async () => {
    const answer = await visitor.navigate(path)
    expect(answer.status).toBe(CROSS_SITE_ROUTES.includes(path) ? 302 : 403)
  })
})

describe.each(writeRoutes)('%s %s', (method, path) => {
  test('rejects a request from another site', async () => {
    await expectCsrfError(await sendWrite(method, path, { 'sec-fetch-site': 'cross-site' }))
    await expectCsrfError(await sendWrite(method, path, { 'sec-fetch-site': 'none' }))
  })
  test('rejects a foreign or missing origin', async () => {
    await expectCsrfError(await sendWrite(method, path, { origin: 'https://evil.test' }))
    await expectCsrfError(await sendWrite(method, path, { origin: undefined }))
  })
  test('rejects a missing, wrong or unpaired XSRF header', async () => {
    await expectCsrfError(await sendWrite(method, path, { 'x-xsrf-token': undefined }))
    await expectCsrfError(await sendWrite(method, path, { 'x-xsrf-token': 'A'.repeat(22) }))
    const bare = edge.visitor()
    const headers = { 'content-type': 'application/json', origin: edge.portalOrigin, 'x-xsrf-token': '' }
    await expectCsrfError(await bare.fetch(path, { method, body: '{}', headers }))
  })
  test('rejects plain text, and a form that the browser does not mark as same-origin', async () => {
    await expectCsrfError(await sendWrite(method, path, { 'content-type': 'text/plain' }))
    await expectCsrfError(await sendWrite(method, path, { 'content-type': 'multipart/form-data; boundary=x' }))
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-xsrf-token': undefined }
    await expectCsrfError(await sendWrite(method, path, { ...form, 'sec-fetch-site': undefined }, 'a=b'))
  })
  test('accepts a form of its own pages only on routes that pages without script need', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-xsrf-token': undefined }
    const answer = await sendWrite(method, path, form, 'state=')
    expect(answer.status).toBe(PLAIN_FORM_ROUTES.includes(path) ? 303 : 403)
  })
})

test('after all these rejections, the visitor is still signed in and no token was refreshed', async () => {
  expect((await visitor.get('/api/auth/me')).status).toBe(200)
  const refreshes = edge.proxy.requests.filter(({ body }) => body.includes('grant_type=refresh_token'))
  expect(refreshes).toEqual([])
})
