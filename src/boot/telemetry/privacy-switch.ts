import { MEASURING_WORDS } from '../../domain/copy/privacy.ts'
import { $measuring, loadMeasured, setMeasuring } from '../../stores/account/analytics-consent.ts'

/** Analytics switch of /privacy, also for visitors without an account; equivalent to the one on the account page. */
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
// Changed in another tab, or by the end of the first hour.
for (const type of ['storage', 'pageshow', 'porchlight:measuring']) addEventListener(type, load)
row.hidden = false
