import base from '/tmp/wt/sametime/playwright.config.ts'
export default { ...base, testDir: '/tmp/wt/sametime/tests/e2e', webServer: undefined, timeout: 120_000, expect: { timeout: 40_000 } }
