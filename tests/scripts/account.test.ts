import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { writeEnvironment } from '../../scripts/lib/secrets-file.ts'
import { openTestDeployment, type TestDeployment } from '../support/harness.ts'
import { START_WAIT_OPTIONS } from '../support/porchlight.ts'

const root = new URL('../..', import.meta.url).pathname
const PASSWORD = 'correct horse\n'
let deployment: TestDeployment
let dataFolder: string

beforeAll(async () => {
  deployment = await openTestDeployment({ change: () => ({ DEMO: '0' }) })
  dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-account-'))
  writeEnvironment(dataFolder, deployment.env)
})
afterAll(async () => {
  await deployment.close()
  rmSync(dataFolder, { recursive: true })
})

async function runAccountCommand(args: string[], input = '', folder = dataFolder) {
  const child = spawn(process.execPath, ['scripts/account.ts', ...args, '--data', folder], { cwd: root })
  child.stdin.end(input)
  const [output, errorOutput] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { ok: child.exitCode === 0, output, errorOutput }
}

describe('npm run account', () => {
  test('adds an account, lists it, changes its password and removes it', async () => {
    expect((await runAccountCommand(['setup-code'])).output).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/m)
    expect(await runAccountCommand(['add', 'ann@example.com', '--home', 'Cabin'], PASSWORD)).toMatchObject({ ok: true })
    expect(await runAccountCommand(['add', 'bob@example.com'], PASSWORD)).toMatchObject({ ok: true })
    expect((await runAccountCommand(['setup-code'])).output).toContain('no setup code')
    const { output } = await runAccountCommand(['list'])
    expect(output).toMatch(/ann@example\.com +never logged in +Cabin \(home_\w+\)/)
    expect(output).toMatch(/bob@example\.com +never logged in +Home \(home_\w+\)/)
    expect((await runAccountCommand(['activity', 'ann@example.com'])).ok).toBe(true)
    expect((await runAccountCommand(['password', 'ann@example.com'], 'another horse\n')).ok).toBe(true)
    await vi.waitFor(async () => {
      const [line = ''] = (await runAccountCommand(['activity', 'ann@example.com'])).output.split('\n')
      expect(JSON.parse(line)).toMatchObject({ kind: 'password-changed', who: 'ann@example.com' })
    }, START_WAIT_OPTIONS)
    expect((await runAccountCommand(['remove', 'ann@example.com'])).ok).toBe(true)
    expect((await runAccountCommand(['list'])).output).not.toContain('ann@example.com')
  })

  test('OPEN-164 invites a person, who chooses a password at the printed link', async () => {
    const { output } = await runAccountCommand(['invite', 'dora@example.com'])
    const url = new URL(/http\S+\/account\/create\?invite=[\w-]+/.exec(output)?.[0] ?? '')
    expect(await (await fetch(url)).text()).toMatch(/value="dora@example\.com"[^>]*readonly/)
    const body = new URLSearchParams({ invite: url.searchParams.get('invite') ?? '', password: PASSWORD.trim() })
    await fetch(new URL(url.pathname, url), { method: 'POST', body, headers: { origin: url.origin } })
    expect((await runAccountCommand(['list'])).output).toContain('dora@example.com')
    expect((await runAccountCommand(['invite', 'dora@example.com'])).errorOutput).toContain('already has an account')
    expect((await runAccountCommand(['remove', 'dora@example.com'])).ok).toBe(true)
  })

  test.each([
    [['add', 'bob@example.com'], PASSWORD, /bob@example\.com already has an account/],
    [['add', 'carl@example.com'], 'short\n', /10 to 200 characters/],
    [['add', 'carl@example.com'], 'password12\n', /too common/],
    [['password', 'bob@example.com'], 'bob@example.com\n', /too similar to your email/],
    [['add', 'carl@example.com'], '', /No password was entered/],
    [['add', 'carl'], PASSWORD, /email is malformed/],
    [['add'], PASSWORD, /Add the account's email/],
    [['activity', 'nobody@example.com'], '', /There is no account for nobody@example\.com/],
    [['password', 'nobody@example.com'], PASSWORD, /There is no account for nobody@example\.com/],
    [['reset-second-factor', 'bob@example.com'], '', /neither two-step verification nor a passkey/],
    [['reset-second-factor', 'nobody@example.com'], '', /There is no account for nobody@example\.com/],
    [['remove', 'bob@example.com'], '', /last account can’t be removed/],
    [['rename', 'bob@example.com'], '', /Unknown command: rename/],
    [['list', '--loud'], '', /--loud/],
  ])('%j fails with a message and without a stack trace', async (args, input, sentence) => {
    const { ok, errorOutput } = await runAccountCommand(args, input)
    expect(ok).toBe(false)
    expect(errorOutput).toMatch(sentence)
    expect(errorOutput).not.toMatch(/^ +at /m)
  })

  test('states where it looked if nothing runs there', async () => {
    const { ok, errorOutput } = await runAccountCommand(['list'], '', '/nowhere')
    expect([ok, errorOutput]).toEqual([false, expect.stringMatching(/\/nowhere\/run\.env doesn't exist/)])
  })
})
