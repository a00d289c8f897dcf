import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATE_LIMITS, RATE_PERIOD_S } from '../../contract/wire/edge-rate-limits.ts'

const root = new URL('../..', import.meta.url).pathname
const ORIGINS = ['https://cam.example.com', 'https://cam-id.example.com']
let folder: string
let envFile: string

function runScript(script: 'deploy' | 'preview', ...args: string[]) {
  const done = spawnSync(process.execPath, [`scripts/${script}.ts`, ...args], { cwd: root, encoding: 'utf8' })
  return { ok: done.status === 0, said: done.stdout, errorOutput: done.stderr }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'porchlight-rehearsals-'))
  envFile = join(folder, 'production.env')
  expect(runScript('deploy', '--env', envFile, '--init', ...ORIGINS)).toMatchObject({ ok: true })
  appendFileSync(envFile, 'DEPLOYMENT_NAME=acme\nJURISDICTION=eu\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

test('npm run deploy rehearses both Workers offline for the file’s origins and keeps secrets out of served files', () => {
  const { ok, said: output, errorOutput } = runScript('deploy', '--dry-run', '--env', envFile)
  expect([ok, errorOutput]).toEqual([true, ''])
  expect(output).toMatch(/Would deploy the provider to https:\/\/cam-id\.example\.com as the Worker \S+: [\d.]+ KiB/)
  expect(output).toMatch(/Would deploy the portal to https:\/\/cam\.example\.com as the Worker \S+: [\d.]+ KiB/)
  expect(output).toContain('Nothing was uploaded.')
  expect(output).toContain('Sales are off')
  const outputPath = join(root, '.porchlight/deploy/production')
  const config = JSON.parse(readFileSync(join(outputPath, 'portal.json'), 'utf8')) as {
    name: string
    routes: object[]
    vars: Record<string, string>
    ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[]
  }
  expect(config.routes).toEqual([{ pattern: 'cam.example.com', custom_domain: true }])
  const provider = JSON.parse(readFileSync(join(outputPath, 'provider.json'), 'utf8')) as {
    name: string
    routes: object[]
    d1_databases: { database_name: string }[]
    r2_buckets: { bucket_name: string; jurisdiction: string }[]
    vars: Record<string, string>
  }
  expect(output).toContain('R2 bucket acme-media in the jurisdiction eu')
  expect([config.vars['JURISDICTION'], provider.vars['JURISDICTION']]).toEqual(['eu', 'eu'])
  expect(provider.r2_buckets.map(({ jurisdiction }) => jurisdiction)).toEqual(['eu'])
  expect([config.name, provider.name]).toEqual(['acme-portal', 'acme-provider'])
  expect(provider.d1_databases.map((database) => database.database_name)).toEqual(['acme'])
  expect(provider.r2_buckets.map((bucket) => bucket.bucket_name)).toEqual(['acme-media'])
  expect(provider.vars).not.toHaveProperty('DEPLOYMENT_NAME')
  expect(provider.routes).toEqual([{ pattern: 'cam-id.example.com', custom_domain: true }])
  const configuredLimits = config.ratelimits.map(({ name, simple }) => [name, simple.limit, simple.period])
  expect(configuredLimits).toEqual(Object.entries(RATE_LIMITS).map(([name, limit]) => [name, limit, RATE_PERIOD_S]))
  expect(new Set(config.ratelimits.map(({ namespace_id: id }) => id)).size).toBe(configuredLimits.length)
  expect(readFileSync(join(outputPath, 'site/_headers'), 'utf8')).toContain('https://cam-id.example.com')
  expect(statSync(join(outputPath, 'portal.secrets.json')).mode & 0o777).toBe(0o600)
  expect(existsSync(join(outputPath, 'site/portal.secrets.json'))).toBe(false)
})

test('npm run preview rehearses a branch with its own stores', () => {
  const { ok, said: output } = runScript('preview', '--dry-run', '--branch', 'feature-a')
  expect(ok).toBe(true)
  for (const name of ['porchlight-feature-a', 'porchlight-media-feature-a', 'https://feature-a-porchlight-portal.'])
    expect(output).toContain(name)
  const outputPath = join(root, '.porchlight/deploy/feature-a/provider.json')
  const { previews } = JSON.parse(readFileSync(outputPath, 'utf8')) as {
    previews: {
      d1_databases: { database_name: string }[]
      r2_buckets: { bucket_name: string }[]
      durable_objects: { bindings: { name: string }[] }
      vars: Record<string, string>
    }
  }
  expect(previews.d1_databases.map((database) => database.database_name)).toEqual(['porchlight-feature-a'])
  expect(previews.durable_objects.bindings.map(({ name }) => name)).toContain('GATEWAYS')
  expect(previews.vars).toMatchObject({
    BILLING_GATEWAY: 'embedded',
    DEMO: '1',
    REVENUE_TOKEN: 'local',
    EXPERIMENT: 'sample',
  })
  expect(previews.vars['PAYMENT_ORIGIN']).toBe(previews.vars['PROVIDER_ORIGIN'])
  expect(previews.r2_buckets.map((bucket) => bucket.bucket_name)).toEqual(['porchlight-media-feature-a'])
})
