import { BRAND_COLORS } from '../../contract/brand.ts'

const { light, dark } = BRAND_COLORS

export const DESIGN_TOKENS_CSS = `@font-face{font-family:"Nunito Variable";src:url(/assets/nunito.woff2) format("woff2-variations");font-weight:200 1000;font-display:swap}
:root{color-scheme:light dark;--page:${light.page};--sunken:#f4efe9;--surface:#fff;--line-strong:#d8cfc6;--control:#8e849b;--ink:#231a30;--ink-2:#584e66;--ink-3:#6e647b;--primary:${light.primary};--hover:${light['primary-hover']};--focus:${light.primary};--soft:${light['primary-soft']};--soft-line:${light['primary-line']};--primary-ink:${light['primary-ink']};--error-soft:#fceaeb;--error-ink:#a32234}
@media (prefers-color-scheme:dark){:root{--page:${dark.page};--sunken:#241c2f;--surface:#1d1726;--line-strong:#43374f;--control:#7f7390;--ink:#f6f3fa;--ink-2:#c9c0d4;--ink-3:#a99fb6;--primary:${dark.primary};--hover:${dark['primary-hover']};--focus:#bba2ff;--soft:${dark['primary-soft']};--soft-line:${dark['primary-line']};--primary-ink:${dark['primary-ink']};--error-soft:#431f27;--error-ink:#ff9aa5}}`
