/** Shows a note while billing is on hold after a restore (`npm run reconcile`). */
addEventListener(
  'porchlight:session',
  () => void import('./show-billing-hold.ts').then((it) => it.showBillingHold(), console.debug),
)
