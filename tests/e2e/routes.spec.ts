import { expect, removeExpectedProblems, SIGNED_IN_STATES, test, SIGNED_OUT_401 } from '../support/e2e.ts'

test.describe('signed in', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  for (const [ids, pages] of [
    ['ROUTE-01 ROUTE-02', [['/live', /live|cameras/i, 'Web Live View']]],
    [
      'ROUTE-03 ROUTE-04 ROUTE-23',
      [
        ['/events', 'Events', 'Web Events'],
        ['/x/events/y', 'Events', 'Web Events'],
      ],
    ],
    [
      'ROUTE-05 ROUTE-06 ROUTE-07',
      [
        ['/account/services', 'Account', 'Web Portal'],
        ['/account/billing', 'Invoices', 'Web Portal'],
        ['/account/products/choose', 'Choose a plan', 'Web Portal'],
      ],
    ],
    ['ROUTE-12', [['/shop/payment/method', 'Payment methods', 'Web Portal']]],
  ] as const) {
    test(`${ids} ${pages.map(([path]) => path).join(', ')} opens its page`, async ({ page }) => {
      for (const [path, heading, title] of pages) {
        const answer = await page.goto(path)
        expect(answer?.status()).toBe(200)
        await expect(page.getByRole('main').getByRole('heading', { name: heading }).first()).toBeVisible()
        await expect(page).toHaveTitle(title)
      }
    })
  }

  test('ROUTE-08 ROUTE-09 three plans have pages with their own titles; any other segment redirects to the chooser', async ({
    page,
  }) => {
    const titles: string[] = []
    for (const segment of ['camera-ai', 'unlimited', 'home-monitoring']) {
      await page.goto(`/account/products/${segment}`)
      await expect(page.getByRole('heading', { name: 'Today’s price' })).toBeVisible()
      titles.push(await page.title())
    }
    expect(new Set(titles).size).toBe(3)
    await page.goto('/account/products/gold?from=mail')
    await expect(page).toHaveURL('/account/products/choose?from=mail')
  })

  test('ROUTE-10 ROUTE-11 STORE-03 redemption shows the coupon from its URL, and still shows it without the parameter', async ({
    page,
  }) => {
    await page.goto('/account/redeem/choose?coupon=WELCOME20')
    await expect(page).toHaveTitle('Coupon Redeem')
    await expect(page.getByLabel('Coupon code')).toHaveValue('WELCOME20')
    await page.goto('/account/redeem/choose')
    await page.reload()
    await expect(page.getByLabel('Coupon code')).toHaveValue('WELCOME20')
  })

  test('ROUTE-18 REDIRECT-01 REDIRECT-02 the callback redirects to the requested page and records its path', async ({
    page,
    baseURL,
  }) => {
    await page.goto(`/user/callback?redirect_uri=${encodeURIComponent(`${baseURL}/account/billing?x=1`)}`)
    await expect(page).toHaveURL('/account/billing?x=1')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('last_visited_path'))).toBe('/account/billing?x=1')
  })

  test('REDIRECT-10 a callback with a foreign URL redirects to /account/services', async ({ page }) => {
    for (const path of [
      'https://evil.test/',
      'javascript:alert(1)',
      '//evil.test',
      'https://portal.example@evil.test/',
    ]) {
      await page.goto(`/user/callback?redirect_uri=${encodeURIComponent(path)}`, { waitUntil: 'commit' })
      await expect(page).toHaveURL('/account/services')
    }
  })

  test('REDIRECT-03 a redirecturl with a coupon opens its redemption from any page', async ({ page, problems }) => {
    for (const path of ['/', '/live', '/account/billing', '/nope', '/user/login', '/user/redirect', '/user/callback']) {
      await page.goto(`${path}?redirecturl=redeem/process/SPRING-1`, { waitUntil: 'commit' })
      await expect(page).toHaveURL('/account/redeem/choose?coupon=SPRING-1')
    }
    removeExpectedProblems(problems, { status: 404, path: /^\/nope$/ })
  })

  test('back and forward restore the scroll position', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 500 })
    await page.goto('/account/products/choose')
    // Wait until the page has its final height.
    await expect(page.locator('.price-card .kept:not(.skeleton)')).toHaveCount(4)
    // Wait until the page has taken over scroll restoration from the browser.
    await expect.poll(() => page.evaluate(() => history.scrollRestoration)).toBe('manual')
    const link = page.getByRole('link', { name: 'Choose Unlimited Pro' })
    const top = await page.evaluate(() => {
      scrollTo({ top: 900, behavior: 'instant' })
      return scrollY
    })
    // Settled: `scrollTo` with `instant` completes before the same call reads `scrollY`.
    expect(top).toBe(900)
    // A Playwright click would scroll to the link first.
    await link.evaluate((element: HTMLElement) => element.click())
    await expect(page).toHaveTitle('Unlimited Cameras Plan')
    await page.goBack()
    await expect(page).toHaveURL('/account/products/choose')
    await expect(page.locator('.price-card .kept:not(.skeleton)')).toHaveCount(4)
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(top)
  })

  test('a page from the back/forward cache reloads its data', { tag: '@all' }, async ({ page }) => {
    await page.goto('/account/products/choose')
    await expect(page.getByText('Your plan', { exact: true })).toBeVisible()
    // Wait until the page has taken over scroll restoration from the browser.
    await expect.poll(() => page.evaluate(() => history.scrollRestoration)).toBe('manual')
    const subscriptionsRequest = page.waitForRequest('**/subscriptions/**')
    await page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await subscriptionsRequest
  })
})

test.describe('home monitoring', () => {
  for (const [account, storageState, tag] of [
    ['a visitor', undefined, []],
    ['the owner', SIGNED_IN_STATES.owner, ['@all']],
  ] as const) {
    test(
      `ROUTE-13 ROUTE-14 OPEN-162 ${account} is redirected immediately from every path with purchase/hms to the configured product page`,
      { tag: [...tag] },
      async ({ browser, baseURL, problems }) => {
        const context = await browser.newContext({ ...(baseURL && { baseURL }), ...(storageState && { storageState }) })
        const page = await context.newPage()
        const authUrls: string[] = []
        page.on('request', (request) => request.url().includes('/api/auth/') && authUrls.push(request.url()))
        const config = (await (await page.request.get('/config.json')).json()) as { hmsUrl: string }
        for (const path of ['/purchase/hms?x=1#y', '/my-purchase/hms/now']) {
          await page.goto(path, { waitUntil: 'commit' })
          await page.waitForURL(config.hmsUrl)
        }
        expect(authUrls).toEqual([])
        await page.getByRole('link', { name: 'View in Porchlight' }).click()
        if (storageState) await expect(page).toHaveURL('/account/products/home-monitoring')
        else await expect(page.getByLabel('Email')).toBeVisible()
        // For a visitor, the linked page sends the current-user call, and the browser reports the 401 of that call.
        removeExpectedProblems(problems, SIGNED_OUT_401)
        await context.close()
      },
    )
  }
})

test.describe('signed out', () => {
  test.afterEach(({ problems }) => removeExpectedProblems(problems, SIGNED_OUT_401))

  test('ROUTE-16 ROUTE-20 signing out without a session ends on the home page', async ({ page }) => {
    await page.goto('/user/logout')
    await expect(page).toHaveURL('/')
  })

  test('ROUTE-17 ROUTE-21 a failed authentication ends on the home page', async ({ page }) => {
    await page.goto('/user/redirect')
    await expect(page).toHaveURL('/')
  })

  test('ROUTE-22 an unknown URL shows the generic page with the generic title', async ({ page, problems }) => {
    const answer = await page.goto('/not/in/the/table')
    expect(answer?.status()).toBe(404)
    await expect(page).toHaveTitle('Web Portal')
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
    removeExpectedProblems(problems, { status: 404, path: /^\/not\/in\/the\/table$/ })
  })

  test('LAYOUT-06 LAYOUT-07 pages that require login, and all paths with /live or /events, lead to the sign-in page', async ({
    page,
  }) => {
    for (const path of ['/account/billing', '/guides/live']) {
      await page.goto(path)
      await expect(page.getByLabel('Email')).toBeVisible()
    }
  })

  for (const path of ['/live/one', '/guides/events/x'])
    test(`${path} also leads to the sign-in page`, { tag: '@all' }, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByLabel('Email')).toBeVisible()
    })

  test('a coupon survives the sign-in', async ({ page }) => {
    await page.goto('/?redirecturl=redeem%2Fprocess%2FSPRING-1')
    await expect(page.getByLabel('Email')).toBeVisible()
    await page.getByLabel('Email').fill('free@example.com')
    await page.getByLabel('Password').fill('porchlight')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page).toHaveURL('/account/redeem/choose?coupon=SPRING-1')
    await expect(page.getByLabel('Coupon code')).toHaveValue('SPRING-1')
  })
})
