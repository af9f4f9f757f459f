/* Dates. The time zone is UTC. */

typedef unsigned long size_t;

void *memcpy(void *, const void *, size_t);
size_t strlen(const char *);

struct date {
  int second, minute, hour, day, month, year, weekday, yearday, summer;
  long offset;
  const char *zone;
};

static const char *const days[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                    "Thursday", "Friday", "Saturday"};
static const char *const months[12] = {"January", "February", "March",     "April",
                                       "May",     "June",     "July",      "August",
                                       "September", "October", "November", "December"};

static int is_leap(long year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int days_of(int month, long year) {
  return month == 1 ? 28 + is_leap(year) : 30 + ((month + (month > 6)) % 2 == 0);
}

/* Days from 1970 to the start of a year. */
static long days_before(long year) {
  long past = year - 1;
  long leaps = past / 4 - past / 100 + past / 400;
  return 365 * (year - 1970) + leaps - (1969 / 4 - 1969 / 100 + 1969 / 400);
}

__attribute__((weak)) struct date *gmtime_r(const long *time, struct date *date) {
  long day = *time / 86400, rest = *time % 86400;
  if (rest < 0) {
    rest += 86400;
    day--;
  }
  date->second = rest % 60;
  date->minute = rest / 60 % 60;
  date->hour = rest / 3600;
  date->weekday = ((day + 4) % 7 + 7) % 7;
  long year = 1970 + day / 366;
  while (days_before(year) > day)
    year--;
  while (days_before(year + 1) <= day)
    year++;
  day -= days_before(year);
  date->yearday = day;
  int month = 0;
  while (day >= days_of(month, year))
    day -= days_of(month++, year);
  date->day = day + 1;
  date->month = month;
  date->year = year - 1900;
  date->summer = 0;
  date->offset = 0;
  date->zone = "UTC";
  return date;
}

__attribute__((weak)) struct date *localtime_r(const long *time, struct date *date) {
  return gmtime_r(time, date);
}

/* All threads share it, as in the C library. */
static struct date last_date;

__attribute__((weak)) struct date *gmtime(const long *time) { return gmtime_r(time, &last_date); }
__attribute__((weak)) struct date *localtime(const long *time) {
  return gmtime_r(time, &last_date);
}

__attribute__((weak)) long timegm(struct date *date) {
  long months_in = date->year * 12l + date->month;
  long year = 1900 + (months_in >= 0 ? months_in / 12 : -((11 - months_in) / 12));
  int month = months_in - (year - 1900) * 12;
  long day = days_before(year) + date->day - 1;
  for (int before = 0; before < month; before++)
    day += days_of(before, year);
  long time = ((day * 24 + date->hour) * 60 + date->minute) * 60 + date->second;
  gmtime_r(&time, date);
  return time;
}

__attribute__((weak)) long mktime(struct date *date) { return timegm(date); }
__attribute__((weak)) void tzset(void) {}

/* A text that grows up to its room. */
struct text {
  char *at;
  size_t room, len;
};

__attribute__((noinline)) static void add(struct text *text, const char *more) {
  for (; *more; more++, text->len++)
    if (text->len < text->room)
      text->at[text->len] = *more;
}

__attribute__((noinline)) static void add_start(struct text *text, const char *more) {
  char start[4] = {more[0], more[1], more[2], 0};
  add(text, start);
}

__attribute__((noinline)) static void number(struct text *text, long value, int width, char fill) {
  char digits[24];
  int at = 23;
  digits[at] = 0;
  int negative = value < 0;
  if (negative)
    value = -value;
  do {
    digits[--at] = '0' + value % 10;
    value /= 10;
    width--;
  } while (value);
  while (width-- > 0)
    digits[--at] = fill;
  if (negative)
    digits[--at] = '-';
  add(text, &digits[at]);
}

static void format(struct text *text, const char *directives, const struct date *date) {
  for (; *directives; directives++) {
    if (*directives != '%') {
      char one[2] = {*directives, 0};
      add(text, one);
      continue;
    }
    directives++;
    while (*directives == 'E' || *directives == 'O')
      directives++;
    int twelve = date->hour % 12 ? date->hour % 12 : 12;
    long year = date->year + 1900l;
    switch (*directives) {
    case 0: return;
    case 'a': add_start(text, days[date->weekday]); break;
    case 'A': add(text, days[date->weekday]); break;
    case 'b':
    case 'h': add_start(text, months[date->month]); break;
    case 'B': add(text, months[date->month]); break;
    case 'c': format(text, "%a %b %e %H:%M:%S %Y", date); break;
    case 'C': number(text, year / 100, 2, '0'); break;
    case 'd': number(text, date->day, 2, '0'); break;
    case 'D':
    case 'x': format(text, "%m/%d/%y", date); break;
    case 'e': number(text, date->day, 2, ' '); break;
    case 'F': format(text, "%Y-%m-%d", date); break;
    case 'H': number(text, date->hour, 2, '0'); break;
    case 'I': number(text, twelve, 2, '0'); break;
    case 'j': number(text, date->yearday + 1, 3, '0'); break;
    case 'm': number(text, date->month + 1, 2, '0'); break;
    case 'M': number(text, date->minute, 2, '0'); break;
    case 'n': add(text, "\n"); break;
    case 'p': add(text, date->hour < 12 ? "AM" : "PM"); break;
    case 'r': format(text, "%I:%M:%S %p", date); break;
    case 'R': format(text, "%H:%M", date); break;
    case 's': {
      struct date copy = *date;
      number(text, timegm(&copy), 1, '0');
      break;
    }
    case 'S': number(text, date->second, 2, '0'); break;
    case 't': add(text, "\t"); break;
    case 'T':
    case 'X': format(text, "%H:%M:%S", date); break;
    case 'u': number(text, date->weekday ? date->weekday : 7, 1, '0'); break;
    case 'U': number(text, (date->yearday + 7 - date->weekday) / 7, 2, '0'); break;
    case 'w': number(text, date->weekday, 1, '0'); break;
    case 'W': number(text, (date->yearday + 7 - (date->weekday + 6) % 7) / 7, 2, '0'); break;
    case 'y': number(text, year % 100, 2, '0'); break;
    case 'Y': number(text, year, 1, '0'); break;
    case 'z': add(text, "+0000"); break;
    case 'Z': add(text, "UTC"); break;
    case '%': add(text, "%"); break;
    default: {
      char both[3] = {'%', *directives, 0};
      add(text, both);
    }
    }
  }
}

__attribute__((weak)) size_t strftime(char *to, size_t room, const char *directives,
                                      const struct date *date) {
  struct text text = {to, room, 0};
  format(&text, directives, date);
  if (text.len >= room)
    return 0;
  to[text.len] = 0;
  return text.len;
}

static char last_text[32];

__attribute__((weak)) char *asctime_r(const struct date *date, char *to) {
  strftime(to, 26, "%a %b %e %H:%M:%S %Y\n", date);
  return to;
}
__attribute__((weak)) char *asctime(const struct date *date) { return asctime_r(date, last_text); }
__attribute__((weak)) char *ctime_r(const long *time, char *to) {
  struct date date;
  return asctime_r(gmtime_r(time, &date), to);
}
__attribute__((weak)) char *ctime(const long *time) { return ctime_r(time, last_text); }
