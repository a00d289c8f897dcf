export const COUNTRIES = { US: 'United States', CA: 'Canada' } as const

const STATES: Readonly<Record<keyof typeof COUNTRIES, string>> = {
  US: 'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA PR RI SC SD TN TX UT VT VA WA WV WI WY',
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
}

const isCountry = (code: string): code is keyof typeof COUNTRIES => Object.hasOwn(COUNTRIES, code)

export const listStates = (country: keyof typeof COUNTRIES): readonly string[] => STATES[country].split(' ')
export const isStateInCountry = (country: string, state: string): boolean =>
  isCountry(country) && listStates(country).includes(state)
