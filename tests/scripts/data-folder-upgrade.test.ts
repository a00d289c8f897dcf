import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { readAccountSnapshot, type AccountSnapshot } from '../support/account-snapshot.ts'
import { createTestFolder, restore, unpackDataFolder } from '../support/backups.ts'
import { scaleTimeout } from '../support/machine.ts'
import { startPorchlight, stopPorchlight, type Porchlight } from '../support/porchlight.ts'
import { startSignIn, completeSignInPage } from '../support/sign-in-walk.ts'
import { selectByTestTier } from '../support/tier.ts'
import { Visitor } from '../support/visitor.ts'
import snapshot010 from '../fixtures/data-0.1.0.json' with { type: 'json' }
import snapshot744dbfe5 from '../fixtures/data-744dbfe5.json' with { type: 'json' }
import { DAY_MS } from '../../contract/time-units.ts'

/** Shortest retention period of the plans in the fixture (14 days), less a day because the test takes time. */
const MIN_RETENTION_MS = 13 * DAY_MS

interface Fixture {
  /** File in tests/fixtures (tests/README.md, Fixtures). */
  readonly file: string
  readonly create: (file: string, dataFolder: string) => Promise<unknown>
  readonly snapshot: typeof snapshot744dbfe5
}

const FIXTURES: readonly Fixture[] = [
  { file: 'data-0.1.0.backup', create: restore, snapshot: snapshot010 },
  {
    file: 'data-744dbfe5.tar.gz',
    create: async (_file, dataFolder) => unpackDataFolder(dataFolder),
    snapshot: snapshot744dbfe5,
  },
]

/** `npm test` opens the newest fixture, and `npm run test:all` opens all. */
const fixtures = FIXTURES.slice(0, selectByTestTier(1, FIXTURES.length))

describe.each(fixtures)('$file', { timeout: scaleTimeout(480_000) }, ({ file, create, snapshot }) => {
  let folder: string
  let port: number
  let porchlight: Porchlight

  beforeAll(async () => {
    folder = createTestFolder()
    const dataFolder = join(folder, 'data')
    await create(new URL(`../fixtures/${file}`, import.meta.url).pathname, dataFolder)
    port = await findFreePort()
    porchlight = await startPorchlight(dataFolder, port, ['--virtual', '1'])
  })
  afterAll(async () => {
    await stopPorchlight(porchlight)
    rmSync(folder, { recursive: true })
  })

  test.each(Object.entries<AccountSnapshot>(snapshot.accounts))(
    'opens with all data of %s',
    async (email, expected) => {
      const visitor = new Visitor(`http://localhost:${port}`)
      await visitor.navigate(await completeSignInPage(visitor, await startSignIn(visitor, '/live'), email))
      const actual = await readAccountSnapshot(visitor, snapshot.begin, snapshot.end)
      // Compare only events within the retention period, because the provider deletes older events.
      const retainedEvents = expected.events.filter(
        (text) => Number(text.split(' ')[0]) > Date.now() - MIN_RETENTION_MS,
      )
      expect(actual.events).toEqual(expect.arrayContaining(retainedEvents))
      for (const list of ['cameras', 'plans', 'invoices', 'notifications'] as const)
        expect(actual[list]).toEqual(expect.arrayContaining([...expected[list]]))
    },
  )
})
