import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { showBillingHold } from '../../../../src/boot/account/show-billing-hold.ts'
import { $isBillingOnHold } from '../../../../src/stores/billing/subscriptions.ts'

test('account pages show a note exactly while billing is on hold', async () => {
  const layout = readFileSync('src/layouts/BillingHoldNote.astro', 'utf8')
  document.body.innerHTML = /<p [\s\S]*<\/p>/.exec(layout)?.[0] ?? ''
  const note = document.querySelector('p')
  expect(note?.textContent).toContain('Billing is on hold after a restore from a backup.')
  showBillingHold()
  expect(note?.hidden).toBe(true)
  $isBillingOnHold.set(true)
  expect(note?.hidden).toBe(false)
  $isBillingOnHold.set(false)
  expect(note?.hidden).toBe(true)
})
