/** Shows a notice on every account page if the test clock is ahead (`npm run clock`). */
addEventListener(
  'porchlight:session',
  () => void import('./show-test-clock.ts').then((it) => it.showTestClock(), console.debug),
)
