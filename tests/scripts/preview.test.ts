import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requireHealthy, requireServedOrigin } from '../../scripts/lib/preview-hosts.ts'
import { NOT_FOUND_RESPONSE, OK_RESPONSE, openCloudflareApi, type CloudflareApi } from '../support/cloudflare-api.ts'
import { openFaultProxy } from '../support/fault-proxy.ts'
import { openTestDeployment } from '../support/harness.ts'

const root = new URL('../..', import.meta.url).pathname
const DELETE_PORTAL = 'DELETE /workers/workers/porchlight-portal/previews/gone'
const DELETE_PROVIDER = 'DELETE /workers/workers/porchlight-provider/previews/gone'
const DATABASE_REQUESTS = ['GET /d1/database/porchlight-gone', 'DELETE /d1/database/db-1'] as const
const LIST_OBJECTS = 'GET /r2/buckets/porchlight-media-gone/objects'
const DELETE_BUCKET = 'DELETE /r2/buckets/porchlight-media-gone'
const formatObjectDeletion = (key: string) => `DELETE /r2/buckets/porchlight-media-gone/objects/${key}`
const buildObjectList = (...keys: string[]) => ({ status: 200, result: keys.map((key) => ({ key })) })

let api: CloudflareApi
beforeEach(async () => {
  api = await openCloudflareApi()
})
afterEach(() => api.close())

async function runRemove() {
  const child = spawn(process.execPath, ['scripts/preview.ts', '--remove', '--branch', 'gone'], {
    cwd: root,
    env: { ...process.env, ...api.env, WORKERS_SUBDOMAIN: 'somebody' },
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [output, errorOutput, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status, output, errorOutput }
}

function mockAllResources(): void {
  for (const request of [DELETE_PORTAL, DELETE_PROVIDER, DATABASE_REQUESTS[1], DELETE_BUCKET])
    api.setResponses(request, OK_RESPONSE)
  api.setResponses(DATABASE_REQUESTS[0], { status: 200, result: { uuid: 'db-1' } })
  api.setResponses(LIST_OBJECTS, buildObjectList('last/a.jpg', 'clip/ä 1.mp4'), buildObjectList())
  for (const key of ['last/a.jpg', 'clip/%C3%A4%201.mp4']) api.setResponses(formatObjectDeletion(key), OK_RESPONSE)
}

describe('npm run preview -- --remove', () => {
  test('deletes everything, the Workers first and the bucket once it is empty', async () => {
    mockAllResources()
    const files = join(root, '.porchlight/deploy/gone')
    mkdirSync(files, { recursive: true })
    writeFileSync(join(files, 'provider.secrets.json'), '{}')
    expect(await runRemove()).toMatchObject({ status: 0, errorOutput: '' })
    expect(api.requests.slice(0, 5)).toEqual([DELETE_PORTAL, DELETE_PROVIDER, ...DATABASE_REQUESTS, LIST_OBJECTS])
    expect(api.requests.slice(5, 7).sort()).toEqual([
      formatObjectDeletion('clip/%C3%A4%201.mp4'),
      formatObjectDeletion('last/a.jpg'),
    ])
    expect(api.requests.slice(7)).toEqual([LIST_OBJECTS, DELETE_BUCKET])
    expect(existsSync(files)).toBe(false)
  })

  test('treats missing resources as already deleted', async () => {
    const { status, output } = await runRemove()
    expect(status).toBe(0)
    expect(output.match(/didn't exist/g)).toHaveLength(4)
    expect(api.requests).toEqual([DELETE_PORTAL, DELETE_PROVIDER, DATABASE_REQUESTS[0], LIST_OBJECTS])
  })

  test('continues after a failure, reports what is left, and deletes the rest on a second run', async () => {
    mockAllResources()
    api.setResponses(DELETE_PROVIDER, { status: 500, code: 10_013 })
    api.setResponses(DATABASE_REQUESTS[1], { status: 403, code: 10_000 })
    const { status, output, errorOutput } = await runRemove()
    expect(status).toBe(1)
    expect(output).toContain('not deleted. The reason 10013 (10013)')
    expect(errorOutput).toMatch(
      /^Not deleted: preview gone of porchlight-provider, D1 database porchlight-gone\. Run the command again/,
    )
    expect(api.requests.at(-1)).toBe(DELETE_BUCKET)

    mockAllResources()
    api.setResponses(DELETE_PORTAL, NOT_FOUND_RESPONSE)
    api.setResponses(LIST_OBJECTS, NOT_FOUND_RESPONSE)
    const again = await runRemove()
    expect(again).toMatchObject({ status: 0, errorOutput: '' })
    expect(again.output.match(/didn't exist/g)).toHaveLength(2)
  })

  test('empties a bucket again if objects arrived in the meantime', async () => {
    mockAllResources()
    api.setResponses(
      LIST_OBJECTS,
      buildObjectList('last/a.jpg'),
      buildObjectList(),
      buildObjectList('last/a.jpg'),
      buildObjectList(),
    )
    api.setResponses(DELETE_BUCKET, { status: 409, code: 10_008 }, OK_RESPONSE)
    expect(await runRemove()).toMatchObject({ status: 0 })
    expect(api.requests.filter((request) => request === formatObjectDeletion('last/a.jpg'))).toHaveLength(2)
  })

  test('leaves a bucket that stays full and reports it', async () => {
    mockAllResources()
    api.setResponses(DELETE_BUCKET, { status: 409, code: 10_008 })
    const { status, errorOutput } = await runRemove()
    expect([status, errorOutput]).toEqual([1, expect.stringMatching(/^Not deleted: R2 bucket porchlight-media-gone\./)])
    expect(api.requests.filter((request) => request === DELETE_BUCKET)).toHaveLength(3)
  })

  test('does not mistake a malformed account for one without a preview', async () => {
    for (const request of [DELETE_PORTAL, DELETE_PROVIDER, DATABASE_REQUESTS[0], LIST_OBJECTS])
      api.setResponses(request, { status: 404, code: 7003 })
    const { status, errorOutput } = await runRemove()
    expect(status).toBe(1)
    expect(errorOutput).toMatch(/^Not deleted: preview .*, preview .*, D1 database .*, R2 bucket /)
  })
})

describe('the names that serve a preview', () => {
  const origin = 'https://a-porchlight-provider.somebody.workers.dev'
  const buildWranglerOutput = (...urls: string[]) =>
    JSON.stringify({ preview: { urls }, deployment: { urls: [`${origin}.other`] } })

  test('are accepted if the preview was built for them', () => {
    const printed = buildWranglerOutput('https://preview.example.com', `${origin}/`)
    expect(() => requireServedOrigin('provider', origin, printed)).not.toThrow()
    const withFiles = `✨ Read 137 files from the directory /home/{me}/site\n${printed}\n`
    expect(() => requireServedOrigin('provider', origin, withFiles)).not.toThrow()
  })

  test.each([
    ['another subdomain', buildWranglerOutput('https://a-porchlight-provider.other.workers.dev'), 'other.workers.dev'],
    ['no URL', buildWranglerOutput(), "doesn't serve its provider"],
    ['invalid output', '✨ done', "can't be read"],
  ])('are rejected when wrangler returns %s', (_, printed, sentence) => {
    expect(() => requireServedOrigin('provider', origin, printed)).toThrow(sentence)
  })

  test('are in the output of wrangler', async () => {
    const previews = '/workers/workers/some-worker/previews'
    const urls = [origin]
    api.setResponses(`GET ${previews}/a`, { status: 404, code: 10_025 })
    api.setResponses(`POST ${previews}`, { status: 200, result: { id: 'p1', name: 'a', slug: 'a', urls } })
    api.setResponses(`POST ${previews}/p1/deployments`, {
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
    expect(() => requireServedOrigin('provider', origin, printed)).not.toThrow()
    expect(api.requests.at(-1)).toBe(`POST ${previews}/p1/deployments`)
  })
})

test('a preview is announced only when both Workers respond and the portal runs the uploaded build', async () => {
  const deployment = await openTestDeployment({ portal: true })
  const faultProxy = await openFaultProxy()
  try {
    const origins = { provider: deployment.env.PROVIDER_ORIGIN, portal: deployment.env.PORTAL_ORIGIN }
    await requireHealthy(origins, 'test', 0)
    await expect(requireHealthy(origins, 'the next build', 0)).rejects.toThrow(/^The portal at .*"build":"test"/)
    faultProxy.fail('/', { kind: 'answer', status: 404, body: 'There is nothing here yet.' })
    await expect(requireHealthy({ ...origins, provider: faultProxy.origin }, 'test', 0)).rejects.toThrow(
      /^The provider at /,
    )
  } finally {
    await deployment.close()
    await faultProxy.close()
  }
})
