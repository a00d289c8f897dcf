import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
/** Writes to the tables of D1 whose rows the objects of accounts cache (docs/decisions/0107). */
const WRITE_PATTERN =
  /(INTO|UPDATE(?: OR REPLACE)?|DELETE FROM)\s+(oidc|accounts|homes|home_members|shares|devices|subscriptions|bindings|search_accounts)\b/
/** The tables of `Home` objects share some names with those of D1. */
const OBJECT_PATTERN = /\bSqlStorage\b|\bsql\.exec/

/** Files that write without `changeAccess`, and why no cached value becomes wrong. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'provider/accounts/account-rows.ts': 'adds accounts and changes uncached columns; createAccount wraps deletions',
  'provider/accounts/deletion/deletion-date-rows.ts': 'the deletion date is not cached',
  'provider/accounts/deletion/table-rules.ts': 'delete-account-data.ts runs these statements',
  'provider/billing/ledger/projection.ts': 'outbox-consumers.ts runs these statements',
  'provider/identity/oidc/hash-legacy-ids.ts': 'hashes ids; the tokens stay valid',
  'provider/identity/password/reset-link-rows.ts': 'the password is not cached; setNewPassword ends the sign-ins',
  'provider/platform/auth/access-token-rows.ts': 'adds tokens; missing tokens are not cached',
}

function listWriters(): string[] {
  return globSync('provider/**/*.ts', { cwd: root })
    .filter((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      return WRITE_PATTERN.test(source) && !OBJECT_PATTERN.test(source)
    })
    .sort()
}

test('every file that writes rights to D1 invalidates the caches of accounts', () => {
  const writers = listWriters()
  const unprotected = writers.filter(
    (file) => !/\bchangeAccess(InBatch)?\(/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(unprotected).toEqual(Object.keys(EXCEPTIONS).sort())
  expect(writers.length).toBeGreaterThan(12)
})
