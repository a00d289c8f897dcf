import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requireHealthy, requireServed } from '../../scripts/lib/preview-hosts.ts'
import { ABSENT, OK, openCloudflareApi, type CloudflareApi } from '../support/cloudflare-api.ts'
import { openFaultProxy } from '../support/fault-proxy.ts'
import { openStage } from '../support/harness.ts'

const root = new URL('../..', import.meta.url).pathname
const PORTAL = 'DELETE /workers/workers/porchlight-portal/previews/gone'
const PROVIDER = 'DELETE /workers/workers/porchlight-provider/previews/gone'
const DATABASE = ['GET /d1/database/porchlight-gone', 'DELETE /d1/database/db-1'] as const
const OBJECTS = 'GET /r2/buckets/porchlight-media-gone/objects'
const BUCKET = 'DELETE /r2/buckets/porchlight-media-gone'
const object = (key: string) => `DELETE /r2/buckets/porchlight-media-gone/objects/${key}`
const listed = (...keys: string[]) => ({ status: 200, result: keys.map((key) => ({ key })) })

let api: CloudflareApi
beforeEach(async () => {
  api = await openCloudflareApi()
})
afterEach(() => api.close())

async function remove() {
  const child = spawn(process.execPath, ['scripts/preview.ts', '--remove', '--branch', 'gone'], {
    cwd: root,
    env: { ...process.env, ...api.env, WORKERS_SUBDOMAIN: 'somebody' },
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [output, complained, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status, said: output, complained }
}

function whole(): void {
  for (const request of [PORTAL, PROVIDER, DATABASE[1], BUCKET]) api.on(request, OK)
  api.on(DATABASE[0], { status: 200, result: { uuid: 'db-1' } })
  api.on(OBJECTS, listed('last/a.jpg', 'clip/ä 1.mp4'), listed())
  for (const key of ['last/a.jpg', 'clip/%C3%A4%201.mp4']) api.on(object(key), OK)
}

describe('npm run preview -- --remove', () => {
  test('deletes everything, the Workers first and the bucket once it is empty', async () => {
    whole()
    const files = join(root, '.porchlight/deploy/gone')
    mkdirSync(files, { recursive: true })
    writeFileSync(join(files, 'provider.secrets.json'), '{}')
    expect(await remove()).toMatchObject({ status: 0, complained: '' })
    expect(api.asked.slice(0, 5)).toEqual([PORTAL, PROVIDER, ...DATABASE, OBJECTS])
    expect(api.asked.slice(5, 7).sort()).toEqual([object('clip/%C3%A4%201.mp4'), object('last/a.jpg')])
    expect(api.asked.slice(7)).toEqual([OBJECTS, BUCKET])
    expect(existsSync(files)).toBe(false)
  })

  test('treats missing resources as already deleted', async () => {
    const { status, said: output } = await remove()
    expect(status).toBe(0)
    expect(output.match(/was not there/g)).toHaveLength(4)
    expect(api.asked).toEqual([PORTAL, PROVIDER, DATABASE[0], OBJECTS])
  })

  test('continues after a failure, reports what is left, and deletes the rest on a second run', async () => {
    whole()
    api.on(PROVIDER, { status: 500, code: 10_013 })
    api.on(DATABASE[1], { status: 403, code: 10_000 })
    const { status, said: output, complained } = await remove()
    expect(status).toBe(1)
    expect(output).toContain('still there. The reason 10013 (10013)')
    expect(complained).toMatch(
      /^Still there: preview gone of porchlight-provider, D1 database porchlight-gone\. Run the command again/,
    )
    expect(api.asked.at(-1)).toBe(BUCKET)

    whole()
    api.on(PORTAL, ABSENT)
    api.on(OBJECTS, ABSENT)
    const again = await remove()
    expect(again).toMatchObject({ status: 0, complained: '' })
    expect(again.said.match(/was not there/g)).toHaveLength(2)
  })

  test('empties a bucket again if objects arrived in the meantime', async () => {
    whole()
    api.on(OBJECTS, listed('last/a.jpg'), listed(), listed('last/a.jpg'), listed())
    api.on(BUCKET, { status: 409, code: 10_008 }, OK)
    expect(await remove()).toMatchObject({ status: 0 })
    expect(api.asked.filter((request) => request === object('last/a.jpg'))).toHaveLength(2)
  })

  test('leaves a bucket that stays full and reports it', async () => {
    whole()
    api.on(BUCKET, { status: 409, code: 10_008 })
    const { status, complained } = await remove()
    expect([status, complained]).toEqual([1, expect.stringMatching(/^Still there: R2 bucket porchlight-media-gone\./)])
    expect(api.asked.filter((request) => request === BUCKET)).toHaveLength(3)
  })

  test('does not mistake a malformed account for one without a preview', async () => {
    for (const request of [PORTAL, PROVIDER, DATABASE[0], OBJECTS]) api.on(request, { status: 404, code: 7003 })
    const { status, complained } = await remove()
    expect(status).toBe(1)
    expect(complained).toMatch(/^Still there: preview .*, preview .*, D1 database .*, R2 bucket /)
  })
})

describe('the names that serve a preview', () => {
  const origin = 'https://a-porchlight-provider.somebody.workers.dev'
  const answer = (...urls: string[]) => JSON.stringify({ preview: { urls }, deployment: { urls: [`${origin}.other`] } })

  test('are accepted if the preview was built for them', () => {
    const printed = answer('https://preview.example.com', `${origin}/`)
    expect(() => requireServed('provider', origin, printed)).not.toThrow()
    const withFiles = `✨ Read 137 files from the directory /home/{me}/site\n${printed}\n`
    expect(() => requireServed('provider', origin, withFiles)).not.toThrow()
  })

  test.each([
    ['another subdomain', answer('https://a-porchlight-provider.other.workers.dev'), 'other.workers.dev'],
    ['no name at all', answer(), 'nowhere'],
    ['something that cannot be read', '✨ done', 'cannot be read'],
  ])('are rejected when wrangler returns %s', (_, printed, sentence) => {
    expect(() => requireServed('provider', origin, printed)).toThrow(sentence)
  })

  test('are in the output of wrangler', async () => {
    const previews = '/workers/workers/some-worker/previews'
    const urls = [origin]
    api.on(`GET ${previews}/a`, { status: 404, code: 10_025 })
    api.on(`POST ${previews}`, { status: 200, result: { id: 'p1', name: 'a', slug: 'a', urls } })
    api.on(`POST ${previews}/p1/deployments`, {
      status: 200,
      result: { id: 'd1', preview_id: 'p1', urls: [], env: {} },
    })
    const folder = join(root, '.porchlight/deploy/some-worker')
    mkdirSync(folder, { recursive: true })
    const config = join(folder, 'wrangler.json')
    const worker = { name: 'some-worker', main: 'index.js', compatibility_date: '2026-10-01', previews: {} }
    writeFileSync(config, JSON.stringify(worker))
    writeFileSync(join(folder, 'index.js'), 'export default { fetch: () => new Response("here") }')
    const child = spawn(
      process.execPath,
      ['node_modules/wrangler/bin/wrangler.js', 'preview', '--name', 'a', '--json', '--config', config],
      { cwd: root, env: { ...process.env, ...api.env, CI: '1', FORCE_COLOR: '0', WRANGLER_SEND_METRICS: 'false' } },
    )
    const printed = await text(child.stdout)
    expect(() => requireServed('provider', origin, printed)).not.toThrow()
    expect(api.asked.at(-1)).toBe(`POST ${previews}/p1/deployments`)
  })
})

test('a preview is announced only when both Workers respond and the portal runs the uploaded build', async () => {
  const stage = await openStage({ portal: true })
  const away = await openFaultProxy()
  try {
    const origins = { provider: stage.env.PROVIDER_ORIGIN, portal: stage.env.PORTAL_ORIGIN }
    await requireHealthy(origins, 'test', 0)
    await expect(requireHealthy(origins, 'the next build', 0)).rejects.toThrow(/^The portal at .*"build":"test"/)
    away.fail('/', { kind: 'answer', status: 404, body: 'There is nothing here yet.' })
    await expect(requireHealthy({ ...origins, provider: away.origin }, 'test', 0)).rejects.toThrow(/^The provider at /)
  } finally {
    await stage.close()
    await away.close()
  }
})
