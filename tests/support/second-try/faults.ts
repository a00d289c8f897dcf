import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, forgive, test } from '../e2e.ts'

/** Test pages by path. The first three have one problem each, `/plain` has none, and every other path returns 503. */
const ANSWERS: Readonly<Record<string, (answer: ServerResponse) => void>> = {
  '/throws': (answer) => html(answer, '<script>throw new Error("broken")</script>'),
  '/policy': (answer) =>
    html(answer.setHeader('content-security-policy', "script-src 'none'"), '<script>document.title = "ran"</script>'),
  '/asks': (answer) => html(answer, '<script>fetch("/fails")</script>'),
  '/plain': (answer) => html(answer, 'Nothing is wrong here.'),
  '/fails': (answer) => answer.writeHead(503).end(),
}
const html = (answer: ServerResponse, body: string) =>
  answer.setHeader('content-type', 'text/html').end(`<!doctype html><link rel="icon" href="data:,">${body}`)

let server: Server
test.beforeAll(async () => {
  server = createServer(({ url = '' }, answer) => (ANSWERS[url] ?? ANSWERS['/fails'])?.(answer))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
test.afterAll(() => void server.close())
const address = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

for (const path of ['/throws', '/policy', '/asks'])
  test(path, async ({ page, problems }, info) => {
    await page.goto(address(info.retry === 0 ? path : '/plain'))
    if (info.retry === 0) await expect.poll(() => problems.length).toBeGreaterThan(0)
  })

test('race', ({ page: _ }, info) => {
  expect(info.retry).toBe(1)
})

test('provoked', async ({ page, problems }) => {
  await page.goto(address('/asks'))
  await expect.poll(() => problems.length).toBeGreaterThan(0)
  forgive(problems, { status: 503, path: /^\/fails$/ })
})
