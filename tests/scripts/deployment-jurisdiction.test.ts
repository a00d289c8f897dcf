import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCloudflare } from '../../scripts/lib/cloudflare.ts'
import { requireUnusedNames } from '../../scripts/lib/deployed-names.ts'
import {
  NOT_FOUND_RESPONSE,
  openCloudflareApi,
  type CloudflareApi,
  type CloudflareResponse,
} from '../support/cloudflare-api.ts'

const root = new URL('../..', import.meta.url).pathname
const ENV = {
  PORTAL_ORIGIN: 'https://cam.example.com',
  PROVIDER_ORIGIN: 'https://cam-id.example.com',
  DEPLOYMENT_NAME: 'acme',
}
const OWN_DOMAINS = [
  { hostname: 'cam.example.com', service: 'acme-portal' },
  { hostname: 'cam-id.example.com', service: 'acme-provider' },
]

let api: CloudflareApi
beforeAll(async () => {
  api = await openCloudflareApi()
})
afterAll(() => api.close())

const createDatabase = (jurisdiction: string | null): CloudflareResponse => ({
  status: 200,
  result: { uuid: 'd1', jurisdiction },
})

/** Returns the reason why a deployment with this setting is refused; null if it is accepted. */
async function findRefusal(setting: string, database: CloudflareResponse, domains: object[]): Promise<string | null> {
  api.setResponses('GET /workers/domains', { status: 200, result: domains })
  api.setResponses('GET /d1/database/acme', database)
  const planned = { env: { ...ENV, JURISDICTION: setting }, file: 'b.env' }
  return await requireUnusedNames(await openCloudflare(root, api.env), planned).then(
    () => null,
    (error: Error) => error.message,
  )
}

test('a deployment is accepted with the jurisdiction in which its database was created', async () => {
  expect(await findRefusal('eu', createDatabase('eu'), OWN_DOMAINS)).toBeNull()
  expect(await findRefusal('', createDatabase(null), OWN_DOMAINS)).toBeNull()
  expect(await findRefusal('eu', NOT_FOUND_RESPONSE, [])).toBeNull()
})

/** The database can be older than the Workers, if an operator created it. */
test.each([
  ['after', OWN_DOMAINS],
  ['before', []],
])('another jurisdiction is refused %s the first deployment', async (_, domains) => {
  expect(await findRefusal('eu', createDatabase(null), domains)).toMatch(
    /^Nothing was deployed\. JURISDICTION in b\.env selects eu, but the D1 database acme .* no jurisdiction/,
  )
  expect(await findRefusal('', createDatabase('eu'), domains)).toMatch(/selects no jurisdiction.* with eu/)
})
