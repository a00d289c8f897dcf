import type { Page } from 'playwright/test'

/** Moves the mouse with no button down, as after a button was released where the page did not notice. */
export async function moveLetGo(page: Page, x: number, y: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'none', buttons: 0 })
  await cdp.detach()
}
