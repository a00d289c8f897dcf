import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../contract/time-units.ts'
import { findFreePort } from '../../../scripts/lib/ports.ts'
import { readAccountSnapshot, type AccountSnapshot } from '../../support/account-snapshot.ts'
import { createTestFolder, PASSPHRASE, ROOT } from '../../support/backups.ts'
import { scaleTimeout } from '../../support/machine.ts'
import { startPorchlight, stopPorchlight, type Porchlight } from '../../support/porchlight.ts'
import { completeSignInPage, startSignIn } from '../../support/sign-in-walk.ts'
import { Visitor } from '../../support/visitor.ts'

const EMAIL = 'owner@example.com'

async function runScript(name: string, ...args: string[]): Promise<{ exit: number | null; output: string }> {
  const child = spawn(process.execPath, [`scripts/${name}.ts`, ...args], { cwd: ROOT })
  const [output, errorOutput] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { exit: child.exitCode, output: output + errorOutput }
}

async function signIn(port: number): Promise<Visitor> {
  const visitor = new Visitor(`http://localhost:${port}`)
  await visitor.navigate(await completeSignInPage(visitor, await startSignIn(visitor, '/live'), EMAIL))
  return visitor
}

describe('a backup of a running Porchlight', { timeout: scaleTimeout(480_000) }, () => {
  let folder: string
  let data: string
  let port: number
  let porchlight: Porchlight
  let earlierVisitor: Visitor
  let before: AccountSnapshot
  const end = Date.now()
  const begin = end - 2 * DAY_MS

  beforeAll(async () => {
    folder = createTestFolder()
    data = join(folder, 'data')
    port = await findFreePort()
    writeFileSync(join(folder, 'passphrase'), `${PASSPHRASE}\n`)
    const options = ['--data', data, '--passphrase-file', join(folder, 'passphrase')]
    porchlight = await startPorchlight(data, port, ['--virtual', '1', '--visits', 'none'])
    earlierVisitor = await signIn(port)
    before = await readAccountSnapshot(earlierVisitor, begin, end)
    const backup = join(folder, 'home.backup')
    expect(await runScript('backup', backup, '--recordings', ...options)).toMatchObject({ exit: 0 })
    expect(await runScript('restore', backup, '--replace', ...options)).toMatchObject({ exit: 1 })
    // The plan renews after the backup, so that the restored ledger is behind.
    expect(await runScript('clock', '+400d', '--data', data)).toMatchObject({ exit: 0 })
    await stopPorchlight(porchlight)
    expect(await runScript('restore', backup, '--replace', ...options)).toMatchObject({ exit: 0 })
    porchlight = await startPorchlight(data, port, ['--virtual', '1', '--visits', 'none'])
  })
  afterAll(async () => {
    await stopPorchlight(porchlight)
    rmSync(folder, { recursive: true })
  })

  test('contains cameras, events, plans and invoices', async () => {
    const after = await readAccountSnapshot(await signIn(port), begin, end)
    for (const list of ['cameras', 'events', 'plans', 'invoices'] as const) expect(after[list]).toEqual(before[list])
    expect(before.events.length).toBeGreaterThan(10)
  })

  test('ends the sessions from before the restore', async () => {
    expect((await earlierVisitor.get('/api/auth/me')).status).toBe(401)
  })

  test('keeps the hub, and billing continues because the gateway is in the same backup', async () => {
    expect(porchlight.lines.join('\n')).toMatch(/Billing continues for \d+ accounts\./)
    expect(porchlight.lines.join('\n')).not.toContain('hub was removed')
    expect(await runScript('reconcile', '--data', data)).toMatchObject({ exit: 0 })
    expect(JSON.parse(readFileSync(join(data, 'version.json'), 'utf8'))).toMatchObject({ format: 1 })
  })
})
