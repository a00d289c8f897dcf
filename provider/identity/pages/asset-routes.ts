import type { Hono } from 'hono'
import nunito from '@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2'
import { createLogoFile } from '../../../contract/brand.ts'
import type { AppEnv } from '../../env.ts'
import { PORCH_AT_NIGHT } from './illustrations.ts'
import { PASSKEY_SCRIPT, PASSKEY_SCRIPT_PATH } from '../passkeys/browser-script.ts'
import { SHOW_PASSWORD_SCRIPT, SHOW_PASSWORD_PATH } from './show-password-toggle.ts'

const headers = (type: string) => ({
  'Content-Type': type,
  'Cache-Control': 'public, max-age=2592000',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'",
})

export function assetRoutes(app: Hono<AppEnv>): void {
  app.get('/assets/nunito.woff2', (c) => c.body(nunito, 200, headers('font/woff2')))
  app.get('/assets/logo.svg', (c) => c.body(createLogoFile(), 200, headers('image/svg+xml')))
  app.get('/assets/porch-night.svg', (c) => c.body(PORCH_AT_NIGHT, 200, headers('image/svg+xml')))
  const script = { ...headers('text/javascript'), 'Cache-Control': 'no-cache' }
  app.get(PASSKEY_SCRIPT_PATH, (c) => c.body(PASSKEY_SCRIPT, 200, script))
  app.get(SHOW_PASSWORD_PATH, (c) => c.body(SHOW_PASSWORD_SCRIPT, 200, script))
}
