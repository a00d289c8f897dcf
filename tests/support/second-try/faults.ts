import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, removeExpectedProblems, test } from '../e2e.ts'

/** Test pages by path. The first three cause one problem each, `/plain` causes none; every other path returns 503. */
const TEST_PAGES: Readonly<Record<string, (answer: ServerResponse) => void>> = {
  '/throws': (answer) => sendHtml(answer, '<script>throw new Error("broken")</script>'),
  '/policy': (answer) =>
    sendHtml(
      answer.setHeader('content-security-policy', "script-src 'none'"),
      '<script>document.title = "ran"</script>',
    ),
  '/asks': (answer) => sendHtml(answer, '<script>fetch("/fails")</script>'),
  '/plain': (answer) => sendHtml(answer, 'This page has no problem.'),
  '/fails': (answer) => answer.writeHead(503).end(),
}
const sendHtml = (answer: ServerResponse, body: string) =>
  answer.setHeader('content-type', 'text/html').end(`<!doctype html><link rel="icon" href="data:,">${body}`)

let server: Server
test.beforeAll(async () => {
  server = createServer(({ url = '' }, answer) => (TEST_PAGES[url] ?? TEST_PAGES['/fails'])?.(answer))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
test.afterAll(() => void server.close())
const pageUrl = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

for (const path of ['/throws', '/policy', '/asks'])
  test(path, async ({ page, problems }, info) => {
    await page.goto(pageUrl(info.retry === 0 ? path : '/plain'))
    if (info.retry === 0) await expect.poll(() => problems.length).toBeGreaterThan(0)
  })

test('race', ({ page: _ }, info) => {
  expect(info.retry).toBe(1)
})

test('provoked', async ({ page, problems }) => {
  await page.goto(pageUrl('/asks'))
  await expect.poll(() => problems.length).toBeGreaterThan(0)
  removeExpectedProblems(problems, { status: 503, path: /^\/fails$/ })
})
