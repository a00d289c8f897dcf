import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { readAccountSnapshot, type AccountSnapshot } from '../support/account-snapshot.ts'
import { scaleTimeout } from '../support/machine.ts'
import { startPorchlight, stopPorchlight, type Porchlight } from '../support/porchlight.ts'
import { startSignIn, completeSignInPage } from '../support/sign-in-walk.ts'
import { Visitor } from '../support/visitor.ts'
import fixture from '../fixtures/data-744dbfe5.json' with { type: 'json' }
import { DAY_MS } from '../../contract/time-units.ts'

/** Shortest retention period of the plans in the fixture (14 days), less a day because the test takes time. */
const MIN_RETENTION_MS = 13 * DAY_MS

/**
 * The fixture is a data folder that commit 744dbfe5 wrote with `npm start -- --virtual 1`, without the video files.
 * The JSON snapshot was taken from that version while it ran.
 */
describe('a data folder of commit 744dbfe5', { timeout: scaleTimeout(480_000) }, () => {
  let dataFolder: string
  let port: number
  let porchlight: Porchlight

  beforeAll(async () => {
    dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-upgrade-'))
    const archive = new URL('../fixtures/data-744dbfe5.tar.gz', import.meta.url).pathname
    expect(spawnSync('tar', ['-xzf', archive, '-C', dataFolder], { encoding: 'utf8' })).toMatchObject({ status: 0 })
    port = await findFreePort()
    porchlight = await startPorchlight(dataFolder, port, ['--virtual', '1'])
  })
  afterAll(async () => {
    await stopPorchlight(porchlight)
    rmSync(dataFolder, { recursive: true })
  })

  test.each(Object.entries<AccountSnapshot>(fixture.accounts))('opens with all data of %s', async (email, expected) => {
    const visitor = new Visitor(`http://localhost:${port}`)
    await visitor.navigate(await completeSignInPage(visitor, await startSignIn(visitor, '/live'), email))
    const actual = await readAccountSnapshot(visitor, fixture.begin, fixture.end)
    // Compare only events within the retention period, because the provider deletes older events.
    const retainedEvents = expected.events.filter((text) => Number(text.split(' ')[0]) > Date.now() - MIN_RETENTION_MS)
    expect(actual.events).toEqual(expect.arrayContaining(retainedEvents))
    for (const list of ['cameras', 'plans', 'invoices', 'notifications'] as const)
      expect(actual[list]).toEqual(expect.arrayContaining([...expected[list]]))
  })
})
