import { MEASURING_WORDS } from '../../domain/copy/privacy.ts'
import { $measuring, loadMeasured, setMeasuring } from '../../stores/account/analytics-consent.ts'

/**
 * Analytics switch on /privacy, also for visitors without an account. Does the same as the switch on the account page.
 */
const row = document.getElementById('measure-choice')!
const toggle = row.querySelector('input')!
const load = () => loadMeasured(Date.now())

load()
$measuring.subscribe((measuring) => {
  row.querySelector('span')!.textContent = MEASURING_WORDS[measuring]
  toggle.checked = measuring === 'on'
  toggle.disabled = measuring === 'asked'
})
toggle.onchange = () => setMeasuring(toggle.checked)
// The setting can change in another tab, or when the first hour ends.
for (const type of ['storage', 'pageshow', 'porchlight:measuring']) addEventListener(type, load)
row.hidden = false
