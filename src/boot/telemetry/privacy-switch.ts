import { ANALYTICS_STATE_TEXTS } from '../../domain/copy/privacy.ts'
import { $analyticsState, loadAnalyticsState, setAnalyticsEnabled } from '../../stores/account/analytics-consent.ts'

/**
 * Analytics switch on /privacy, also for visitors without an account. Does the same as the switch on the account page.
 */
const consentRow = document.getElementById('measure-choice')!
const toggle = consentRow.querySelector('input')!
const loadState = () => loadAnalyticsState(Date.now())

loadState()
$analyticsState.subscribe((analyticsState) => {
  consentRow.querySelector('span')!.textContent = ANALYTICS_STATE_TEXTS[analyticsState]
  toggle.checked = analyticsState === 'on'
  toggle.disabled = analyticsState === 'asked'
})
toggle.onchange = () => setAnalyticsEnabled(toggle.checked)
// Another tab can change the setting, and test tracking turns itself off after an hour.
for (const type of ['storage', 'pageshow', 'porchlight:measuring']) addEventListener(type, loadState)
consentRow.hidden = false
