import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyFreePort } from '../../scripts/lib/ports.ts'
import { readAccount, type AccountSnapshot } from '../support/account-snapshot.ts'
import { scaled } from '../support/machine.ts'
import { startPorchlight, stopPorchlight, type Porchlight } from '../support/porchlight.ts'
import { startSignIn, walkSignInPage } from '../support/sign-in-walk.ts'
import { Visitor } from '../support/visitor.ts'
import fixture from '../fixtures/data-744dbfe5.json' with { type: 'json' }
import { DAY_MS } from '../../contract/time-units.ts'

/** Shortest retention period of the plans in the fixture (14 days), less a day because the test takes time. */
const KEPT_MS = 13 * DAY_MS

/**
 * Data folder that commit 744dbfe5 wrote with `npm start -- --virtual 1`, without the video files. The snapshot next to
 * it was taken from that version while it ran.
 */
describe('a data folder of commit 744dbfe5', { timeout: scaled(480_000) }, () => {
  let data: string
  let port: number
  let run: Porchlight

  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'porchlight-upgrade-'))
    const archive = new URL('../fixtures/data-744dbfe5.tar.gz', import.meta.url).pathname
    expect(spawnSync('tar', ['-xzf', archive, '-C', data], { encoding: 'utf8' })).toMatchObject({ status: 0 })
    port = await anyFreePort()
    run = await startPorchlight(data, port, ['--virtual', '1'])
  })
  afterAll(async () => {
    await stopPorchlight(run)
    rmSync(data, { recursive: true })
  })

  test.each(Object.entries<AccountSnapshot>(fixture.accounts))('opens with all data of %s', async (email, expected) => {
    const visitor = new Visitor(`http://localhost:${port}`)
    await visitor.navigate(await walkSignInPage(visitor, await startSignIn(visitor, '/live'), email))
    const actual = await readAccount(visitor, fixture.begin, fixture.end)
    // Retention has deleted older events.
    const retainedEvents = expected.events.filter((text) => Number(text.split(' ')[0]) > Date.now() - KEPT_MS)
    expect(actual.events).toEqual(expect.arrayContaining(retainedEvents))
    for (const list of ['cameras', 'plans', 'invoices', 'notifications'] as const)
      expect(actual[list]).toEqual(expect.arrayContaining([...expected[list]]))
  })
})
