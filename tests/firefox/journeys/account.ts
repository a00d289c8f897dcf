import type { Page } from 'puppeteer-core'
import type { Journey } from '../journey.ts'
import { address, assert, clickOn, find, fits, press, says, signIn, until } from '../looks.ts'

export const account: Journey = {
  name: 'account',
  says: 'Overview, services and plans told what is covered and what it costs, and signing out ended the session.',
  async go({ page, origin, isPhone }) {
    await page.goto(`${origin}/account`)
    await signIn(page)
    await address(page, '/account')
    await overview(page)
    await press(page, 'link', 'Services')
    await address(page, '/account/services')
    await says(page, 'main', 'Unlimited Cameras')
    await fits(page)
    await plans(page, origin, isPhone ? '.phone-bar b' : '.price-due dd')
    await signOut(page, origin)
  },
}

async function overview(page: Page): Promise<void> {
  await says(page, 'h1', 'Hello, owner@example.com')
  await says(page, 'main', 'Every camera, annual')
  await says(page, 'main li', 'Front door')
  await says(page, 'main', '$99.99 and $8.25 tax')
  await says(page, 'main li', 'This device, now')
  await fits(page)
}

async function plans(page: Page, origin: string, price: string): Promise<void> {
  await page.goto(`${origin}/account/products/choose`)
  const card = () => page.$$eval('.price-card', (all) => all.map((element) => element.textContent ?? ''))
  await until('The plan that the owner has is not marked.', async () =>
    (await card()).some((text) => text.includes('Unlimited Cameras') && text.includes('You have this')),
  )
  await fits(page)
  await page.goto(`${origin}/account/products/camera-ai`)
  await says(page, 'h1', 'Camera AI')
  await press(page, 'radio', 'Monthly')
  await until('No price is shown.', () =>
    page.$$eval(price, (all) => all.some((element) => /^\$\d+\.\d\d$/.test((element.textContent ?? '').trim()))),
  )
  await fits(page)
}

async function signOut(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/account`)
  await clickOn(page, await until('There is no account menu.', () => page.$('[popovertarget=account-menu]')))
  await press(page, 'link', 'Log out')
  await address(page, '/')
  await find(page, 'link', 'Log in')
  await page.goto(`${origin}/live`)
  await until('Somebody who has signed out still sees the cameras.', () => page.$('input[type=password]'))
  const cookies = await page.evaluate(() => document.cookie)
  assert(!cookies.includes('signed_in'), 'A cookie still says that somebody is signed in.')
}
