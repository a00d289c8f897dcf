/** Tests run in a region with a 24-hour clock and the day before the month; tests of other regions set their own. */
Object.defineProperty(navigator, 'language', { value: 'en-GB', configurable: true })
