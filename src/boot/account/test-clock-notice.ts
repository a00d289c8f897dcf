/** Where the clock of plans and bills stands ahead (`npm run clock`), every page of the account says so, once it is drawn. */
addEventListener('porchlight:session', () => void import('./show-test-clock.ts').catch(console.debug))
