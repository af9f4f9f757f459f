// correct
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void) {
    time_t time = 951782399; // 28 February 2000, 23:59:59
    struct tm date;
    char text[64];
    time++;
    assert(gmtime_r(&time, &date) == &date);
    assert(date.tm_year == 100 && date.tm_mon == 1 && date.tm_mday == 29 && date.tm_yday == 59);
    assert(strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S %a %j", &date) == 27);
    assert(strcmp(text, "2000-02-29T00:00:00 Tue 060") == 0);
    assert(strftime(text, 5, "%Y-%m", &date) == 0);
    date.tm_mday += 2;
    assert(mktime(&date) == time + 2 * 86400 && date.tm_mon == 2 && date.tm_mday == 2);
    assert(strcmp(asctime(localtime(&time)), "Tue Feb 29 00:00:00 2000\n") == 0);
}
